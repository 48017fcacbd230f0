import DeviceAttestation
import Octets
import RelyingParty
import ServerCore

/// Seal of what a phone keeps while it shows that a chip holds its attestation key; the server stores nothing of it.
///
/// Both texts are encrypted and authenticated (AES-256-GCM) by the keys of ``CeremonySeal``, and their first byte, which
/// is authenticated too, says what they are: neither is taken for the other, nor for the state of a ceremony.
struct AttestationKeySeal: KeyAttestationReader {
    /// Time in which a phone has to answer a credential.
    static let enrolmentLifetime: Duration = .seconds(120)
    /// Time for which a proof holds, from the credential on: as long as any request, and no longer than keys are kept.
    static let proofLifetime: Duration = UAFSettings.responseLifetimes.upperBound

    /// Credential that a phone has not answered yet.
    struct Enrolment: Sendable {
        /// The secret that only the chip of both keys recovers.
        let secret: [UInt8]
        /// Public area of the attestation key.
        let publicArea: [UInt8]
        let begunAt: Timestamp

        var proofEnd: Timestamp { begunAt + AttestationKeySeal.proofLifetime }
    }

    private enum Content: UInt8 {
        case enrolment = 0x45
        case proof = 0x50
    }

    let keys: KeyService
    let random: any RandomSource
    let clock: any WallClock

    // MARK: - Enrolment

    func seal(secret: [UInt8], for publicArea: [UInt8]) throws(ServerError) -> [UInt8] {
        var writer = OctetWriter(capacity: 256)
        writer.writeTime(clock.now())
        writer.write(secret)
        writer.write(publicArea)
        return try seal(writer.bytes, as: .enrolment)
    }

    /// The credential that a text stands for; nil for a forged one, one of another server, and one that has expired.
    func enrolment(in sealed: [UInt8]) -> Enrolment? {
        guard let content = open(sealed, as: .enrolment) else { return nil }
        var reader = OctetReader(content)
        guard let begunAt = try? reader.readTime(),
            let secret = try? reader.read(count: CredentialChallenge.secretByteCount), !reader.isAtEnd,
            clock.now() < begunAt + Self.enrolmentLifetime
        else { return nil }
        return Enrolment(secret: Array(secret), publicArea: Array(reader.readRest()), begunAt: begunAt)
    }

    // MARK: - Proof

    /// The proof for a phone that has recovered the secret, and the time that it holds from now on.
    ///
    /// Its end follows from the credential: a phone that answers twice gains no time.
    func proof(of enrolment: Enrolment) throws(ServerError) -> (octets: [UInt8], lifetime: Duration) {
        var writer = OctetWriter(capacity: 256)
        writer.writeTime(enrolment.proofEnd)
        writer.write(enrolment.publicArea)
        return (try seal(writer.bytes, as: .proof), enrolment.proofEnd - clock.now())
    }

    func attestationKey(in proof: [UInt8]) -> TPMAttestationKey? {
        guard let content = open(proof, as: .proof) else { return nil }
        var reader = OctetReader(content)
        guard let end = try? reader.readTime(), clock.now() < end else { return nil }
        return try? TPMAttestationKey(publicArea: Array(reader.readRest()))
    }

    // MARK: - Seal

    private func seal(_ content: [UInt8], as kind: Content) throws(ServerError) -> [UInt8] {
        let key = try keys.current(.serverData)
        let prefix = [kind.rawValue] + key.id.octets
        let nonce = random.bytes(count: AuthenticatedEncryption.nonceByteCount)
        return prefix + AuthenticatedEncryption.seal(content, key: key.material, nonce: nonce, binding: prefix)
    }

    private func open(_ sealed: [UInt8], as kind: Content) -> [UInt8]? {
        let prefix = Array(sealed.prefix(1 + ServerKeyID.byteCount))
        guard prefix.first == kind.rawValue, let id = ServerKeyID(prefix.dropFirst()),
            let key = keys.key(id, .serverData)
        else { return nil }
        return try? AuthenticatedEncryption.open(
            sealed.dropFirst(prefix.count), key: key.material, binding: prefix)
    }
}
