// SPDX-License-Identifier: MIT
#pragma once

#include "convert.hpp"

#include <graze/ask/collide.hpp>
#include <graze/ask/contains.hpp>
#include <graze/ask/first_contact.hpp>
#include <graze/ask/ray.hpp>
#include <graze/body/contact.hpp>
#include <graze/core/status.hpp>
#include <graze/io/mesh_file.hpp>

GRAZE_PYTHON_ENUM(graze::Status)
GRAZE_PYTHON_ENUM(graze::ErrorCode)
GRAZE_PYTHON_ENUM(graze::Location)
GRAZE_PYTHON_ENUM(graze::ContactKind)
GRAZE_PYTHON_ENUM(graze::Containment)
GRAZE_PYTHON_ENUM(graze::FeatureKind)
GRAZE_PYTHON_ENUM(graze::FeatureRef::Type)
GRAZE_PYTHON_ENUM(graze::Neighbourhood)
GRAZE_PYTHON_ENUM(graze::RayHits)
GRAZE_PYTHON_ENUM(graze::ContactDirection)
GRAZE_PYTHON_ENUM(graze::MeshFormat)
GRAZE_PYTHON_ENUM(graze::SaveOptions::Encoding)
