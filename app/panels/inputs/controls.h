#pragma once
#include "app/panels/shell/ui.h"

namespace headscope {

struct App;
struct Workspace;

/// Everything that changes a number or how numbers are shown, in collapsible sections.
void draw_controls(App& app, Ui& ui);

// Its sections, each in a separate file.
void draw_layer_controls(Workspace& work, Ui& ui);   ///< d_model, heads, seed, inputs, positions
void draw_mask_controls(App& app, Ui& ui);           ///< mask parts and the fill
void draw_softmax_controls(Ui& ui);                  ///< temperature, scale, dropout
void draw_weight_controls(Workspace& work, Ui& ui);  ///< origin of the weights, gains, shared heads
void draw_typed_weights(Workspace& work, Ui& ui);    ///< weight matrices typed by hand
void draw_typed_x(Workspace& work, Ui& ui);          ///< token vectors typed by hand
void draw_stack_controls(Ui& ui);                    ///< layers and what is between them
void draw_display_controls(Ui& ui);                  ///< colours, range, numbers, rows and columns

}  // namespace headscope
