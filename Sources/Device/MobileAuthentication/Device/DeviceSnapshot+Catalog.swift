import Authenticators

extension DeviceSnapshot.Support {
    /// What the catalog knows of a model; `lax` is the same model where weaker sensors count as well.
    init(_ model: AuthenticatorModel, underLaxRules lax: AuthenticatorModel?) {
        self.init(
            isSupportedByHardware: model.support.isSupportedByHardware,
            isSupportedByOs: model.support.isSupportedByOs, isEnrolled: model.support.isEnrolled,
            isUsable: model.availability != .notOffered,
            isUsableWithClass2Sensor: lax.map { $0.availability != .notOffered } ?? false)
    }
}
