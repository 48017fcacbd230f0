/// A request of a device whose signature and time were verified; only its replay is left to be judged.
package struct SignedRequest: Sendable, Hashable {
    /// The target whose key signed.
    package let targetID: DispatchTargetID
    /// The key that signed: it must still be the target's when the request takes effect.
    package let signatureKey: DeviceKeyThumbprint
    /// Names the request; used once.
    package let requestID: String
    /// Time until which the request has to be remembered, because it would be accepted again.
    package let rememberedUntil: Timestamp

    package init(
        targetID: DispatchTargetID, signatureKey: DeviceKeyThumbprint, requestID: String, rememberedUntil: Timestamp
    ) {
        self.targetID = targetID
        self.signatureKey = signatureKey
        self.requestID = requestID
        self.rememberedUntil = rememberedUntil
    }
}
