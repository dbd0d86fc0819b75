#include "app/panels/shell/panel_keys.h"

#include "core/base/translate.h"

namespace headscope {
namespace {

constexpr const char* at_presenting = TR("While presenting");
constexpr const char* at_anywhere = TR("Everywhere");
constexpr const char* at_items = TR("Controls, tokens, lists");
constexpr const char* at_maps = TR("Maps");
constexpr const char* at_one_head = TR("One head");
constexpr const char* at_lines = TR("Lines");
constexpr const char* at_layers = TR("Layers × heads");
constexpr const char* at_compare = TR("Comparison");
constexpr const char* at_steps = TR("Steps of the arithmetic");
constexpr const char* at_sentence = TR("Sentence");
constexpr const char* at_tokens = TR("Tokens");
constexpr const char* at_dialogs = TR("Menus and dialogs");

constexpr PanelKey keys[] = {
    {at_presenting, "Esc", TR("Leave, or go back from the panel at an edge")},
    {at_presenting, TR("Pointer at an edge, Tab, F6"), TR("Show menus, controls or the inspector")},
    {at_presenting, TR("Any key"), TR("End the black screen")},
    {at_anywhere, "?", TR("Show this list, except while editing text")},
    {at_items, TR("Arrow keys"), TR("Move between items")},
    {at_items, "Tab, Shift+Tab", TR("Move between fields and sliders")},
    {at_items, "Space", TR("Press, switch or open; on a slider, then adjust with ← →")},
    {at_items, "Enter", TR("Type a value into a slider or field")},
    {at_items, TR("Ctrl+click on a slider"), TR("Type a value")},
    {at_items, "Esc", TR("Back to the maps")},
    {at_maps, TR("Arrow keys"), TR("Lock the neighbouring cell")},
    {at_maps, "Ctrl+← →", TR("Previous head, next head")},
    {at_maps, "Ctrl+↑ ↓", TR("Previous layer, next layer")},
    {at_maps, "Enter", TR("Enlarge the locked cell's head")},
    {at_maps, "Space", TR("With the brush: paint the locked cell; hold and use arrow keys for a stroke")},
    {at_maps, "Shift+Space", TR("With the brush: do the opposite (unblock or block)")},
    {at_maps, "Tab, Shift+Tab", TR("Next panel, previous panel")},
    {at_one_head, TR("+ −, wheel"), TR("Zoom in and out")},
    {at_one_head, TR("Shift+arrow keys, drag"), TR("Pan an enlarged map")},
    {at_one_head, TR("Home, double-click"), TR("Reset zoom")},
    {at_lines, TR("Arrow keys"), TR("Lock the next token, or one in the other column")},
    {at_lines, "Ctrl+← →, Ctrl+↑ ↓", TR("Neighbouring head, neighbouring layer")},
    {at_lines, "Enter", TR("Enlarge the locked cell's head")},
    {at_layers, TR("Arrow keys"), TR("Move between heads")},
    {at_layers, "Space", TR("Enlarge this head")},
    {at_compare, "PgUp, PgDn", TR("Next larger, next smaller difference in the list")},
    {at_steps, TR("Arrow keys"), TR("Show the neighbouring cell")},
    {at_steps, "Ctrl+← →, Ctrl+↑ ↓", TR("Neighbouring head, neighbouring layer")},
    {at_sentence, "Tab, Shift+Tab", TR("Leave the sentence for the next or previous panel")},
    {at_sentence, "Esc", TR("Leave the sentence")},
    {at_sentence, TR("Arrow keys, Home, End"),
     TR("Move the caret; Ctrl moves by words or to the ends, Shift selects")},
    {at_sentence, "Ctrl+A, Ctrl+C, Ctrl+X, Ctrl+V", TR("Select all, copy, cut, paste")},
    {at_sentence, "Ctrl+Backspace, Ctrl+Del", TR("Delete the word before or after the caret")},
    {at_tokens, "Space", TR("Lock the token's row, or unlock it")},
    {at_tokens, "Shift+Space", TR("Mark or unmark the token as padding or global")},
    {at_tokens, TR("Menu, Shift+F10"), TR("Split, join or mark the token")},
    {at_dialogs, "Esc", TR("Close the topmost menu or dialog")},
    {at_dialogs, "↑ ↓, Enter", TR("Choose an action or a file")},
    {at_dialogs, "Alt+↑", TR("In the file chooser: parent folder")},
};

}  // namespace

std::span<const PanelKey> panel_keys() {
  return keys;
}

}  // namespace headscope
