// Only so that the tests have a target whose precompiled headers they can share.
