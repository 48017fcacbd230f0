@_exported public import Foundation
import Synchronization

/// The Apple device that the stub frameworks pretend to run on; a test sets it up and holds it as the current one.
///
/// Each test has its own by way of a task-local value, so tests run side by side.
public final class StubDevice: Sendable {
    /// The device that the frameworks talk to.
    @TaskLocal public static var current = StubDevice()

    /// State that a test can set.
    public struct State: Sendable {
        /// Tells one Secure Enclave from another.
        public let identity = UUID()
        /// False on a device without a Secure Enclave.
        public var hasEnclave = true
        /// True until the first unlock after a start: nothing can be read.
        public var isBeforeFirstUnlock = false
        /// True while the screen is locked.
        public var isLocked = false
        /// Whether the user has set a passcode.
        public var hasPasscode = true {
            didSet { if oldValue, !hasPasscode { removedPasscodes += 1 } }
        }
        /// Number of passcodes that were removed: what was bound to one of them never comes back.
        public private(set) var removedPasscodes = 0
        /// The sensor of the device: the raw value of an `LABiometryType`.
        public var biometryType = 1
        /// Whether the user has forbidden the application to use the sensor.
        public var forbidsBiometry = false
        /// The fingers or faces that are enrolled.
        public var fingers: Set<String> = ["right thumb"]
        /// Whether too many wrong fingers came.
        public var isBiometryLockedOut = false
        /// Reaction of the user to a prompt: nil passes, a number is the code of an `LAError`.
        public var answer: Int?
        /// Whether questions wait until their context is invalidated.
        public var leavesQuestionsOpen = false
        /// The raw access control flags of every question that the user was asked.
        public var questions: [UInt] = []
        /// The words of the last question: its reason, and the buttons for another method and for leaving.
        public var words: [String?] = []
        /// Error of the Enclave for a key whose biometric set has changed: a code of CryptoTokenKit.
        public var changedSetCode = -3
        /// After how many more writes to the keychain every call to it fails; nil for never.
        public var writesLeft: Int?
        /// Whether the device has App Attest.
        public var hasAppAttest = true
        /// Keys of App Attest by name, with the counters of those that are attested; they go with the application.
        public var appAttestKeys: [String: Int?] = [:]
        /// The code of the `DCError` that every call of App Attest ends with; nil for none.
        public var appAttestFailure: Int?
        /// The items of the keychain.
        public var items: [StubItem] = []

        /// The state that LocalAuthentication gives out for the enrolled set; nil when it is empty.
        public var enrollmentState: Data? {
            fingers.isEmpty ? nil : Data((identity.uuidString + fingers.sorted().joined(separator: ",")).utf8)
        }
    }

    private let state = Mutex(State())

    /// A device with Enclave, passcode and one enrolled finger, unlocked.
    public init() {}

    /// Reads or changes the device.
    @discardableResult
    public func with<Result: Sendable>(_ body: (inout sending State) -> sending Result) -> Result {
        state.withLock { body(&$0) }
    }
}
