import ArgumentParser
import VirtualDevice

/// Which keys of a user a command removes.
struct KeySelectionOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Only the key of this authenticator.", valueName: "KIND"))
    var authenticator: AuthenticatorChoice?

    @Option(help: ArgumentHelp("Only the key of the authenticator with this model number.", valueName: "AAID"))
    var aaid: String?

    func validate() throws {
        guard authenticator == nil || aaid == nil else {
            throw ValidationError("Give --authenticator or --aaid, not both.")
        }
    }

    /// Whether all keys are meant.
    var isEverything: Bool { authenticator == nil && aaid == nil }

    /// The model number; nil for all.
    func aaid(on device: VirtualDevice) -> String? { aaid ?? authenticator.flatMap { device.aaid(of: $0.kind) } }
}
