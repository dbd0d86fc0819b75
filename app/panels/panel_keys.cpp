#include "app/panels/panel_keys.h"

#include "core/base/translate.h"

namespace headscope {
namespace {

constexpr const char* presenting = TR("While presenting");
constexpr const char* anywhere = TR("Everywhere");
constexpr const char* items = TR("Controls, tokens, lists");
constexpr const char* maps = TR("Maps");
constexpr const char* one_head = TR("One head");
constexpr const char* lines = TR("Lines");
constexpr const char* layers = TR("Layers × heads");
constexpr const char* compare = TR("Comparison");
constexpr const char* steps = TR("Steps of the arithmetic");
constexpr const char* sentence = TR("Sentence");
constexpr const char* tokens = TR("Tokens");
constexpr const char* dialogs = TR("Menus and dialogs");

constexpr PanelKey keys[] = {
    {presenting, "Esc", TR("Leave, or go back from the panel at an edge")},
    {presenting, TR("Pointer at an edge, Tab, F6"), TR("Show menus, controls or the inspector")},
    {presenting, TR("Any key"), TR("End the black screen")},
    {anywhere, "?", TR("Show this list, except while editing text")},
    {items, TR("Arrow keys"), TR("Move between items")},
    {items, "Tab, Shift+Tab", TR("Move between fields and sliders")},
    {items, "Space", TR("Press, switch or open; on a slider, then adjust with ← →")},
    {items, "Enter", TR("Type a value into a slider or field")},
    {items, TR("Ctrl+click on a slider"), TR("Type a value")},
    {items, "Esc", TR("Back to the maps")},
    {maps, TR("Arrow keys"), TR("Lock the neighbouring cell")},
    {maps, "Ctrl+← →", TR("Previous head, next head")},
    {maps, "Ctrl+↑ ↓", TR("Previous layer, next layer")},
    {maps, "Enter", TR("Enlarge the locked cell's head")},
    {maps, "Space", TR("With the brush: paint the locked cell; hold and use arrow keys for a stroke")},
    {maps, "Shift+Space", TR("With the brush: do the opposite (unblock or block)")},
    {maps, "Tab, Shift+Tab", TR("Next panel, previous panel")},
    {one_head, TR("+ −, wheel"), TR("Zoom in and out")},
    {one_head, TR("Shift+arrow keys, drag"), TR("Pan an enlarged map")},
    {one_head, TR("Home, double-click"), TR("Reset zoom")},
    {lines, TR("Arrow keys"), TR("Lock the next token, or one in the other column")},
    {lines, "Ctrl+← →, Ctrl+↑ ↓", TR("Neighbouring head, neighbouring layer")},
    {lines, "Enter", TR("Enlarge the locked cell's head")},
    {layers, TR("Arrow keys"), TR("Move between heads")},
    {layers, "Space", TR("Enlarge this head")},
    {compare, "PgUp, PgDn", TR("Next larger, next smaller difference in the list")},
    {steps, TR("Arrow keys"), TR("Show the neighbouring cell")},
    {steps, "Ctrl+← →, Ctrl+↑ ↓", TR("Neighbouring head, neighbouring layer")},
    {sentence, "Tab, Shift+Tab", TR("Leave the sentence for the next or previous panel")},
    {sentence, "Esc", TR("Leave the sentence")},
    {sentence, TR("Arrow keys, Home, End"),
     TR("Move the caret; Ctrl moves by words or to the ends, Shift selects")},
    {sentence, "Ctrl+A, Ctrl+C, Ctrl+X, Ctrl+V", TR("Select all, copy, cut, paste")},
    {sentence, "Ctrl+Backspace, Ctrl+Del", TR("Delete the word before or after the caret")},
    {tokens, "Space", TR("Lock the token's row, or unlock it")},
    {tokens, "Shift+Space", TR("Mark or unmark the token as padding or global")},
    {tokens, TR("Menu, Shift+F10"), TR("Split, join or mark the token")},
    {dialogs, "Esc", TR("Close the topmost menu or dialog")},
    {dialogs, "↑ ↓, Enter", TR("Choose an action or a file")},
    {dialogs, "Alt+↑", TR("In the file chooser: parent folder")},
};

}  // namespace

std::span<const PanelKey> panel_keys() {
  return keys;
}

}  // namespace headscope
