#include "app/panels/panel_keys.h"

#include "core/base/translate.h"

namespace headscope {
namespace {

constexpr const char* anywhere = TR("Everywhere");
constexpr const char* items = TR("Controls, tokens, lists");
constexpr const char* maps = TR("Maps");
constexpr const char* one_head = TR("One head");
constexpr const char* lines = TR("Lines");
constexpr const char* layers = TR("Layers × heads");
constexpr const char* compare = TR("Comparison");
constexpr const char* sentence = TR("Sentence");
constexpr const char* dialogs = TR("Menus and dialogs");

constexpr PanelKey keys[] = {
    {anywhere, "?", TR("The list of keys, while no text is being edited")},
    {items, TR("arrow keys"), TR("From one to the next")},
    {items, "Tab, Shift+Tab", TR("From one field or slider to the next")},
    {items, "Space", TR("Press it, switch it, open it; on a slider: then change it with ← →")},
    {items, "Enter", TR("Type the number of a slider or field")},
    {items, TR("Ctrl+click on a slider"), TR("Type its number")},
    {items, "Esc", TR("Back to the maps")},
    {maps, TR("arrow keys"), TR("Lock the neighbour cell")},
    {maps, "Ctrl+← →", TR("The head before, the next head")},
    {maps, "Ctrl+↑ ↓", TR("The layer before, the next layer")},
    {maps, "Enter", TR("Open the locked cell's head large")},
    {maps, "Space", TR("With the brush: paint the locked cell; held with arrow keys: a stroke")},
    {maps, "Shift+Space", TR("With the brush: the opposite, free or block")},
    {maps, "Tab, Shift+Tab", TR("To the next panel, to the one before")},
    {one_head, TR("+ −, the wheel"), TR("Larger and smaller map")},
    {one_head, TR("Shift+arrow keys, a drag"), TR("Another part of an enlarged map")},
    {one_head, TR("Home, a double click"), TR("The whole map")},
    {lines, TR("arrow keys"), TR("Lock the next token, or that of the other column")},
    {lines, "Ctrl+← →, Ctrl+↑ ↓", TR("The neighbour head, the neighbour layer")},
    {lines, "Enter", TR("Open the locked cell's head large")},
    {layers, TR("arrow keys"), TR("From one head to the next")},
    {layers, "Space", TR("Open the head large")},
    {compare, "PgUp, PgDn", TR("The next larger, the next smaller difference of the list")},
    {sentence, "Tab, Shift+Tab", TR("Leave the sentence for the next panel, for the one before")},
    {sentence, "Esc", TR("Leave the sentence")},
    {sentence, TR("arrow keys, Home, End"),
     TR("Move the caret; with Ctrl by words or to the ends, with Shift select")},
    {sentence, "Ctrl+A, Ctrl+C, Ctrl+X, Ctrl+V", TR("Select all, copy, cut, paste")},
    {sentence, "Ctrl+Backspace, Ctrl+Del", TR("Take out the word before, after the caret")},
    {dialogs, "Esc", TR("Close the topmost one")},
    {dialogs, "↑ ↓, Enter", TR("Choose an action or a file")},
    {dialogs, "Alt+↑", TR("In the file chooser: the folder above")},
};

}  // namespace

std::span<const PanelKey> panel_keys() {
  return keys;
}

}  // namespace headscope
