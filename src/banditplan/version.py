"""The version of the package, also read by the build."""

VERSION = "0.1.0"
