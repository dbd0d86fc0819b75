# The Debian package (cpack -G DEB; scripts/package deb).
set(CPACK_PACKAGE_NAME headscope)
set(CPACK_PACKAGE_VENDOR "The Headscope authors")
set(CPACK_PACKAGE_CONTACT "The Headscope authors <headscope@users.noreply.github.com>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "microscope for multi-head attention")
set(CPACK_PACKAGE_DESCRIPTION
"Shows what every head of multi-head attention attends to while one types a
sentence: the weights of seeded layers with PyTorch's own numbers, of trained
models (GPT-2, BERT, LLaMA, Qwen, T5, Marian and others as downloaded) and of
attention that was computed elsewhere.
.
Every weight can be taken apart into its arithmetic. There are lessons in
English and Chinese, three small trained models, figures in PNG, SVG and PDF,
and a command line that needs no display.")
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_GENERATOR DEB)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# Opened while the program runs, so that dpkg-shlibdeps does not see them: libepoxy and GLFW load OpenGL, by GLX under X11
# and by EGL under Wayland.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libgl1, libegl1")
# A driver where there is no graphics card; the letters and symbols of figures; Chinese.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "libgl1-mesa-dri, fonts-open-sans, fonts-dejavu-core, fonts-noto-cjk")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "python3-numpy, python3-torch")
include(CPack)
