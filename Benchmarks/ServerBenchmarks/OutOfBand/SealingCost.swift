import BackendAPI
import BenchmarkSupport
import Crypto
import JOSE
import TestSupport

/// How often a payload is sealed for a phone and opened on it, beside the key agreement alone.
///
/// Processor time of one thread; each round measures all three, so that a shared machine disturbs both sides of a ratio
/// alike.
struct SealingCost {
    /// Agreements on P-256 in a second: both keys at hand, as the crypto library makes them.
    let agreementsPerSecond: Double
    /// Payloads sealed in a second, and in the time of one agreement.
    let seal: (perSecond: Double, ratio: Double)
    /// Payloads opened in a second, and in the time of one agreement.
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
