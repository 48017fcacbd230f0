package import BackendAPI
import Octets

/// Digits of channel linking, which tie a phone to the screen that asked, in the form that the server stores.
///
/// Of the digits only a salted hash is kept. That hides them from a glance over a shoulder, not from an attacker with
/// the database: two digits are guessed at once, and are worth nothing after one wrong try.
package struct ChannelLink: Sendable, Hashable {
    package let mode: ChannelLinkingMethod
    /// Keeps equal digits apart.
    package let salt: [UInt8]
    package let digest: LinkingDigest

    package init(mode: ChannelLinkingMethod, digits: String, salt: [UInt8]) {
        self.init(mode: mode, salt: salt, digest: Self.digest(digits, salt))
    }

    package init(mode: ChannelLinkingMethod, salt: [UInt8], digest: LinkingDigest) {
        self.mode = mode
        self.salt = salt
        self.digest = digest
    }

    /// Throws ``CommitRefusal/channelNotLinked`` unless the user has typed the digits, where typing is asked for.
    ///
    /// The duration says nothing about the digits.
    package func require(_ answer: String?) throws(CommitRefusal) {
        guard mode == .typed else { return }
        do throws(ConstantTimeEquality.Difference) {
            try ConstantTimeEquality.require(Self.digest(answer ?? "", salt).octets, equals: digest.octets)
        } catch {
            throw .channelNotLinked
        }
    }

    private static func digest(_ digits: String, _ salt: [UInt8]) -> LinkingDigest {
        LinkingDigest(of: salt + Array(digits.utf8))
    }
}
