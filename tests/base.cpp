// Only so that the tests have a target that owns the shared precompiled headers.
