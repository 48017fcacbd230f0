/// What the app needs of the push service of its platform; `ApplePush` in SampleScreens is the real one.
@MainActor
public protocol PushService {
    /// Asks the user for permission, once; false when they refuse or have refused before.
    func askForPermission() async -> Bool
    /// The token of this device at the push service.
    func token() async throws -> String
}
