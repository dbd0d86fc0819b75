#pragma once
#include "app/panels/ui/ui.h"
#include "core/inputs/fields.h"

namespace headscope {

struct App;
struct Workspace;

/// Everything that changes a number or how numbers are shown: what is changed most, then sections with the
/// rest.
void draw_controls(App& app, Ui& ui);

// Its sections, each in a separate file.
void draw_model_card(Workspace& work, Ui& ui);         ///< of a trained model, with the texts that it reads
void draw_capture_card(Workspace& work, Ui& ui);       ///< of a capture
void draw_model_facts(Workspace& work, Ui& ui);        ///< what else is known of a model
void draw_weight_controls(Workspace& work, Ui& ui);    ///< origin of the weights, gains, shared heads
void draw_typed_weights(Workspace& work, Ui& ui);      ///< weight matrices typed by hand
void draw_typed_x(Workspace& work, Ui& ui);            ///< token vectors typed by hand
void draw_stack_controls(Ui& ui);                      ///< layers and what is between them
void draw_experiment_controls(App& app, Ui& ui);       ///< ablated heads, temperature, mask
void draw_ablation_controls(Workspace& work, Ui& ui);  ///< of a trained model, in B of the comparison
void draw_mask_controls(App& app, Ui& ui);             ///< mask parts
void draw_look_controls(Ui& ui);                       ///< what cells show, colours, range
void draw_advanced_controls(Ui& ui);  ///< mask value, scale, dropout, a trained model's gains
void draw_mask_value(Ui& ui);         ///< what replaces blocked scores

/// Why masks, temperature and gains change nothing in the layer in view; nullptr: they do.
const char* without_softmax(const Ui& ui);

/// label_field() and check() with the texts of a field of the inputs, outlined where a lesson step points to
/// it.
void label_field(const Ui& ui, InputField::Member member, const char* text = nullptr);
bool check(Ui& ui, const char* mark, bool Inputs::*member);

}  // namespace headscope
