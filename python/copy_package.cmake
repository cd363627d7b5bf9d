# SPDX-License-Identifier: MIT
# Copies the Python part of the package FROM to TO: everything but the module.
file(COPY ${FROM}/ DESTINATION ${TO} PATTERN "*.so" EXCLUDE PATTERN "__pycache__" EXCLUDE)
