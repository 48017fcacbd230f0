/// Requirements of an application for a new PIN.
///
/// The checks run in this order: only the digits 0 to 9 and a length between `minLength` and `maxLength`, then the list
/// of common PINs, then the validation of the application.
///
/// ```swift
/// struct BankPinPolicy: PinPolicy {
///     var maxLength: Int { 8 }  // Six digits or more.
///
///     func validatePinForEnrollment(
///         _ pin: String, onSuccess: @escaping () -> Void, onError: @escaping (PinEnrollmentValidationError) -> Void
///     ) {
///         if pin.hasPrefix("19") { onError(.InvalidPin(message: "Not a year, please.")) } else { onSuccess() }
///     }
/// }
/// ```
@preconcurrency @MainActor
public protocol PinPolicy {
    /// The smallest number of digits; at least 4.
    var minLength: Int { get }
    /// The largest number of digits; at most 64.
    var maxLength: Int { get }
    /// Whether PINs such as 123456 are accepted.
    var allowsCommonPins: Bool { get }

    /// Judges the PIN of an enrolment; call one of the closures once.
    func validatePinForEnrollment(
        _ pin: String, onSuccess: @escaping () -> Void, onError: @escaping (PinEnrollmentValidationError) -> Void)

    /// Judges the new PIN of a change; call one of the closures once.
    func validatePinForPinChange(
        _ pin: String, onSuccess: @escaping () -> Void, onError: @escaping (PinChangeValidationError) -> Void)
}

extension PinPolicy {
    /// Six digits.
    public var minLength: Int { 6 }

    /// Six digits.
    public var maxLength: Int { 6 }

    /// Common PINs are refused.
    public var allowsCommonPins: Bool { false }

    /// Accepts every PIN.
    public func validatePinForEnrollment(
        _ pin: String, onSuccess: @escaping () -> Void, onError: @escaping (PinEnrollmentValidationError) -> Void
    ) {
        onSuccess()
    }

    /// Accepts every PIN.
    public func validatePinForPinChange(
        _ pin: String, onSuccess: @escaping () -> Void, onError: @escaping (PinChangeValidationError) -> Void
    ) {
        onSuccess()
    }
}

/// Source of an application's policy for new PINs.
@preconcurrency @MainActor
public protocol PinPolicyProvider {
    /// The policy; it is asked for before each enrolment.
    func pinPolicy() -> any PinPolicy
}

extension PinPolicyProvider {
    /// Six digits, no common PINs.
    public func pinPolicy() -> any PinPolicy { DefaultPinPolicy() }
}

/// Six digits, no common PINs, nothing else.
struct DefaultPinPolicy: PinPolicy {}
