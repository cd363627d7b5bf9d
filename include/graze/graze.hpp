// SPDX-License-Identifier: MIT
#pragma once

/// Everything public, for those who do not want to choose.
#include <graze/core/counters.hpp>
#include <graze/core/error.hpp>
#include <graze/core/ids.hpp>
#include <graze/core/status.hpp>
#include <graze/io/mesh_file.hpp>
#include <graze/math/box3.hpp>
#include <graze/math/interval.hpp>
#include <graze/math/pose.hpp>
#include <graze/math/vec3.hpp>
#include <graze/mesh/classify.hpp>
#include <graze/mesh/connectivity.hpp>
#include <graze/mesh/make.hpp>
#include <graze/mesh/mesh.hpp>
#include <graze/mesh/weld.hpp>
#include <graze/motion/chain.hpp>
#include <graze/motion/motion.hpp>
#include <graze/query/body.hpp>
#include <graze/query/collide.hpp>
#include <graze/query/contact.hpp>
#include <graze/query/contains.hpp>
#include <graze/query/convex_distance.hpp>
#include <graze/query/deform.hpp>
#include <graze/query/deform_brute.hpp>
#include <graze/query/distance.hpp>
#include <graze/query/elementary.hpp>
#include <graze/query/first_contact.hpp>
#include <graze/query/interference.hpp>
#include <graze/query/many_bodies.hpp>
#include <graze/query/surface.hpp>
