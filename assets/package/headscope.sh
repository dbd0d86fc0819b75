#!/bin/sh
# Starts the program of the folder that this file lies in, wherever that is.
program=$(readlink -f "$0")
root=${program%/bin/*}
program=$root/libexec/headscope
# Fonts are the machine's, as its user chose them; without any the program has one.
if [ ! -e /etc/fonts/fonts.conf ] && [ -z "$FONTCONFIG_FILE$FONTCONFIG_PATH" ]; then
  export FONTCONFIG_FILE="$root/etc/fonts.conf"
fi
# The machine's modules are made for its own GLib.
export GIO_MODULE_DIR="$root/lib/gio"
# A machine without a desktop lacks libraries that a desktop's OpenGL driver brings.
if LD_TRACE_LOADED_OBJECTS=1 "$program" | grep -q 'not found'; then
  export LD_LIBRARY_PATH="$root/lib/without-desktop${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
fi
exec "$program" "$@"
