import Authenticators
import Synchronization

/// The profile that `AuthenticatorAaid.rawValue` speaks of: that of the client that was made last in this process.
///
/// `rawValue` has no client to ask, and an application has one client; nothing inside the SDK reads it.
enum RunningProfile {
    private static let stored = Mutex(DeviceProfile.iOS)

    static var current: DeviceProfile { stored.withLock { $0 } }

    static func change(to profile: DeviceProfile) { stored.withLock { $0 = profile } }
}
