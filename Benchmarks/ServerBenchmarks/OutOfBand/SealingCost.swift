import BackendAPI
import BenchmarkSupport
import Crypto
import JOSE
import TestSupport

/// Rates of encrypting a payload for a phone and decrypting it there, beside the rate of the key agreement alone.
///
/// Processor time of one thread; each round measures all three, so that a shared machine affects both sides of a ratio
/// alike.
struct SealingCost {
    /// Key agreements on P-256 per second by the crypto library, with both keys parsed in advance.
    let agreementsPerSecond: Double
    /// Payloads encrypted per second, and in the time of one agreement.
    let seal: (perSecond: Double, ratio: Double)
    /// Payloads decrypted per second, and in the time of one agreement.
    let open: (perSecond: Double, ratio: Double)

    /// Measures for `seconds`, with the payload of a push message.
    init(seconds: Double) throws {
        let device = try SyntheticDevice()
        let key = try device.encryptionKey
        let content = OutOfBandContent(
            token: "b4b07559-f934-4597-a1c5-44d89f691e8f",
            redeemURL: "https://login.example.com/nevisfido/token/redeem/authentication",
            channelLinking: .typed(length: 2)
        ).body
        let token = try CompactJWE.seal(content, to: key)
        let (own, other) = (P256.KeyAgreement.PrivateKey(), P256.KeyAgreement.PrivateKey().publicKey)
        let measurement = try Measurement(
            of: [
                { _ = try own.sharedSecretFromKeyAgreement(with: other) },
                { _ = try CompactJWE.seal(content, to: key) },
                { guard try device.opened(token) == content else { throw BenchmarkFailure.badConstant } },
            ], seconds: seconds)
        agreementsPerSecond = measurement.median { 1e9 / $0[0] }
        seal = (measurement.median { 1e9 / $0[1] }, measurement.median { $0[0] / $0[1] })
        open = (measurement.median { 1e9 / $0[2] }, measurement.median { $0[0] / $0[2] })
    }
}
