#pragma once
#include <memory>

namespace headscope {

/// Names an object in the key of what was computed from it, without keeping it: the next object in the same
/// memory is another one.
template <typename Object>
class ObjectKey {
 public:
  ObjectKey() = default;
  ObjectKey(const std::shared_ptr<const Object>& object)  // NOLINT: so that keys are lists of values
      : object_(object), address_(object.get()) {}
  bool operator==(const ObjectKey& other) const {
    return address_ == other.address_ && !object_.owner_before(other.object_) &&
           !other.object_.owner_before(object_);
  }

 private:
  std::weak_ptr<const Object> object_;
  const Object* address_ = nullptr;  // only compared
};

}  // namespace headscope
