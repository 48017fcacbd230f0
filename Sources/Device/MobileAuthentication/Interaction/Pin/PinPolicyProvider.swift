/// Knows what an application asks of a new PIN.
@preconcurrency @MainActor
public protocol PinPolicyProvider {
    /// The policy; it is asked for before each enrolment.
    func pinPolicy() -> any PinPolicy
}

extension PinPolicyProvider {
    /// Six digits, no common PINs.
    public func pinPolicy() -> any PinPolicy { DefaultPinPolicy() }
}
