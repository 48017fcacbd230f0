import Crypto
import Octets
package import UAF

/// Authenticator without users, key derivation or storage, which makes valid and precisely corrupted assertions.
///
/// Servers under test see it as they see a phone; load generators use it because it costs only its signature.
package struct SyntheticAuthenticator: Sendable {
    /// Attestation of the authenticator's key.
    package enum Vouching: Sendable {
        /// Surrogate basic attestation, by the key itself.
        case surrogate
        /// Full basic attestation, by a certified key whose signature algorithm may differ from the one of the
        /// authenticator's key.
        case full(SyntheticAttestation)
    }

    /// AAID of the authenticator.
    package let aaid: AAID
    /// Signature algorithm of the authenticator's key.
    package let algorithm: AuthenticationAlgorithm
    /// Format of the public key.
    package let format: PublicKeyFormat
    /// Attestation of the key.
    package let vouching: Vouching
    /// The private key.
    package let key: SyntheticKey
    /// Key ID; 32 random bytes unless set.
    package var keyID: [UInt8]
    /// Version of the authenticator.
    package var version: UInt16 = 1
    /// Counters of the next assertion.
    package var counters = Counters.unsupported

    /// Authenticator with a new key, unless it gets one.
    package init(
        aaid: AAID = SyntheticAuthenticator.defaultAAID, algorithm: AuthenticationAlgorithm = .secp256r1ECDSASHA256DER,
        format: PublicKeyFormat = .eccX962DER, vouching: Vouching = .surrogate,
        key: SyntheticKey? = nil
    ) throws {
        self.aaid = aaid
        self.algorithm = algorithm
        self.format = format
        self.vouching = vouching
        self.key = try key ?? SyntheticKey(for: algorithm)
        keyID = SymmetricKey(size: .bits256).withUnsafeBytes { Array($0) }
    }

    /// The AAID FFFF#FC01.
    package static let defaultAAID = AAID(vendor: VendorID(number: 0xFFFF), model: 0xFC01)

    /// Credential ID: AAID and key ID.
    package var credential: CredentialID? {
        KeyID(keyID).map { CredentialID(aaid: aaid, keyID: $0) }
    }

    /// Metadata statement of the authenticator.
    package var metadata: MetadataStatement {
        var statement = MetadataStatement(
            aaid: aaid, description: "Synthetic authenticator",
            signing: SigningProfile(algorithm: algorithm, publicKeyFormat: format),
            userVerificationDetails: [[VerificationMethod(.passcode)]], keyProtection: .software,
            matcherProtection: .software)
        statement.display = TransactionDisplay(kind: .any, contentType: .plainText)
        if case .full(let attestation) = vouching {
            statement.attestationTypes = [.basicFull]
            statement.attestationRootCertificates = [attestation.root]
        }
        return statement
    }

    // MARK: - Assertions

    /// Registration assertion for the `fcParams` text.
    package func registration(
        for fcParams: String, spoiling fault: SyntheticFault = .none
    ) throws -> [UInt8] {
        var data = SyntheticTLV(
            0x3E03,
            elements: [
                SyntheticTLV(0x2E0B, Array(aaid.text.utf8)),
                SyntheticTLV(0x2E0E, info(mode: 1, algorithm: attestationAlgorithm, format: format)),
                SyntheticTLV(0x2E0A, Array(SHA256.hash(data: Array(fcParams.utf8)))),
                SyntheticTLV(0x2E09, keyID),
                SyntheticTLV(0x2E0D, littleEndian(counters.signatures) + littleEndian(counters.registrations)),
                SyntheticTLV(0x2E0C, try key.publicKey(format)),
            ])
        fault.signedData?(&data)
        var signature = try attestationKey.sign(data.encoded, algorithm: attestationAlgorithm)
        fault.signature?(&signature)
        var attestation = SyntheticTLV(0x3E08, elements: [SyntheticTLV(0x2E06, signature)])
        if case .full(let full) = vouching {
            attestation.tag = 0x3E07
            for certificate in full.certificates { attestation.append(SyntheticTLV(0x2E05, certificate)) }
        }
        return finished(SyntheticTLV(0x3E01, elements: [data, attestation]), fault)
    }

    /// Authentication assertion for the `fcParams` text; `transaction` is the content that is confirmed.
    package func authentication(
        for fcParams: String, confirming transaction: [UInt8]? = nil, spoiling fault: SyntheticFault = .none
    ) throws -> [UInt8] {
        var data = SyntheticTLV(
            0x3E04,
            elements: [
                SyntheticTLV(0x2E0B, Array(aaid.text.utf8)),
                SyntheticTLV(0x2E0E, info(mode: transaction == nil ? 1 : 2, algorithm: algorithm)),
                SyntheticTLV(0x2E0F, SymmetricKey(size: .bits256).withUnsafeBytes { Array($0) }),
                SyntheticTLV(0x2E0A, Array(SHA256.hash(data: Array(fcParams.utf8)))),
                SyntheticTLV(0x2E10, transaction.map { Array(SHA256.hash(data: $0)) } ?? []),
                SyntheticTLV(0x2E09, keyID),
                SyntheticTLV(0x2E0D, littleEndian(counters.signatures)),
            ])
        fault.signedData?(&data)
        var signature = try key.sign(data.encoded, algorithm: algorithm)
        fault.signature?(&signature)
        return finished(SyntheticTLV(0x3E02, elements: [data, SyntheticTLV(0x2E06, signature)]), fault)
    }

    // MARK: - Parts

    private var attestationKey: SyntheticKey {
        guard case .full(let attestation) = vouching else { return key }
        return attestation.key
    }

    private var attestationAlgorithm: AuthenticationAlgorithm {
        guard case .full(let attestation) = vouching else { return algorithm }
        return attestation.algorithm
    }

    private func finished(_ assertion: SyntheticTLV, _ fault: SyntheticFault) -> [UInt8] {
        var assertion = assertion
        fault.assertion?(&assertion)
        var octets = assertion.encoded
        fault.octets?(&octets)
        return octets
    }

    private func info(
        mode: UInt8, algorithm: AuthenticationAlgorithm, format: PublicKeyFormat? = nil
    ) -> [UInt8] {
        var writer = OctetWriter()
        writer.writeUInt16LittleEndian(version)
        writer.writeUInt8(mode)
        writer.writeUInt16LittleEndian(algorithm.rawValue)
        if let format { writer.writeUInt16LittleEndian(format.rawValue) }
        return writer.bytes
    }

    private func littleEndian(_ value: UInt32) -> [UInt8] {
        var writer = OctetWriter()
        writer.writeUInt32LittleEndian(value)
        return writer.bytes
    }
}
