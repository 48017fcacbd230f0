import PushSink
import ServerCore

/// An account for tests that do not care which one it is: a fresh RSA key for each would cost them most of their time.
enum SampleAccount {
    private static let made = Result { try SinkAccount.make(random: SystemRandomSource()) }

    static func account() throws -> SinkAccount { try made.get() }
}
