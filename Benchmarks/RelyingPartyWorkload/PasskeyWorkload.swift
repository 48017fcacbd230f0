import Crypto
import CryptoExtras
import FoundationEssentials
import TestSupport
import WebAuthn

/// Answer of a browser with a passkey, and the relying party that judges it (Web Authentication Level 3, section 7.2).
package struct PasskeyWorkload {
    /// Name of the algorithm in figures.
    package let name: String
    private let key: PasskeyKeyPair
    private let verification: PasskeyVerification
    private let offer: RequestOffer
    private let answer: [UInt8]
    private let record: PasskeyRecord

    /// Workloads of the algorithms that authenticators have.
    package static func all() async throws -> [PasskeyWorkload] {
        [try await PasskeyWorkload(.es256, name: "es256"), try await PasskeyWorkload(.rs256, name: "rs256")]
    }

    /// Registers a new key, and has it sign one answer.
    private init(_ algorithm: COSEAlgorithm, name: String) async throws {
        self.name = name
        key = try PasskeyKeyPair.new(algorithm)
        var authenticator = SoftwareAuthenticator(key)
        let settings = PasskeySettings(
            relyingPartyID: authenticator.relyingPartyID, name: "Example", origins: [authenticator.client.origin])
        verification = PasskeyVerification(settings: settings)
        let challenge = [UInt8](repeating: 7, count: 32)
        let creation = CreationOffer(
            challenge: challenge, user: PasskeyUser(handle: [7], name: "alice", displayName: "Alice"))
        let registration = try RegistrationAnswer(try authenticator.registration(creation).text)
        record = try await verification.registration(
            registration, for: creation, isRegistered: false, at: .distantPast
        ).record
        offer = RequestOffer(challenge: challenge)
        authenticator.counter = 1
        answer = try authenticator.assertion(offer).text
    }

    /// Parses and judges the answer with the record of a key that is parsed already.
    package func authenticate() throws {
        _ = try verification.authentication(try AssertionAnswer(answer), for: offer, record: record)
    }

    /// Bare signature verification by the crypto library, with key and signature parsed in advance.
    package func bareVerification() throws -> () throws -> Void {
        let digest = SHA256.hash(data: [UInt8](repeating: 1, count: 69))
        switch key {
        case .es256(let key):
            let (signature, publicKey) = (try key.signature(for: digest), key.publicKey)
            return { guard publicKey.isValidSignature(signature, for: digest) else { throw Workload.BadConstant() } }
        case .rs256(let key):
            let (signature, publicKey) = (try key.signature(for: digest, padding: .insecurePKCS1v1_5), key.publicKey)
            return {
                guard publicKey.isValidSignature(signature, for: digest, padding: .insecurePKCS1v1_5) else {
                    throw Workload.BadConstant()
                }
            }
        case .eddsa, .mldsa65: throw Workload.BadConstant()
        }
    }
}
