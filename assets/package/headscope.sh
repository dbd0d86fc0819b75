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
# A machine without a desktop lacks libraries of one: each that is missing comes from here, and those that it needs. All at
# once would be too many: an OpenGL driver needs its own.
missing() { LD_TRACE_LOADED_OBJECTS=1 "$program" | sed -n 's/^[[:space:]]*\([^ ]*\) => not found.*/\1/p' | sort -u; }
while names=$(missing) && [ -n "$names" ]; do
  for name in $names; do
    folder=$root/lib/without-desktop/$name
    case ":$LD_LIBRARY_PATH:" in *":$folder:"*) break 2 ;; esac
    [ -d "$folder" ] || break 2
    export LD_LIBRARY_PATH="$folder${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
  done
done
exec "$program" "$@"
