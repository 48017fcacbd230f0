import Crypto
import Octets

/// Check of the final challenge hash: the assertion is bound to the parameters as they were received.
///
/// The hash of every supported algorithm is SHA-256 and is taken over the base64url text, not over what it decodes to.
enum FinalChallengeHashCheck {
    static func hash(of text: String) -> [UInt8] {
        var text = text
        let digest = text.withUTF8 { unsafe SHA256.hash(data: UnsafeRawBufferPointer($0)) }
        return unsafe digest.withUnsafeBytes { unsafe Array($0) }
    }

    static func require(_ bound: ArraySlice<UInt8>, equals hash: [UInt8]) throws(RefusalReason) {
        do throws(ConstantTimeEquality.Difference) {
            try ConstantTimeEquality.require(bound, equals: hash[...])
        } catch {
            throw .finalChallengeHash
        }
    }
}
