import VirtualDevice

/// How the machine verifies its user for a phone, and what was wrong with the machine when it could not.
final class PhoneVerification: Sendable {
    private let options: PasscodeOptions

    init(_ options: PasscodeOptions) { self.options = options }

    /// What a device stands on, as far as the machine decides it.
    func surroundings() throws(CommandFailure) -> VirtualDevice.Surroundings { VirtualDevice.Surroundings() }

    /// Before an operation: what went wrong in an earlier one explains nothing.
    func forget() {}

    /// An error, with what is wrong with the machine.
    func explained(_ error: any Error) -> any Error { error }
}
