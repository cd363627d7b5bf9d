// SPDX-License-Identifier: MIT
#pragma once

namespace graze::app {

/// A falling cloth folds until it first touches itself.
void folding_cloth();

}  // namespace graze::app
