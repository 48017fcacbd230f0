#if canImport(LocalAuthentication) && canImport(CryptoKit)
    import CryptoKit
    import Foundation
    import HardwareKeys
    import LocalAuthentication
    import Octets

    /// A key in the Secure Enclave, as the wrapped form that only this Enclave can use.
    struct EnclaveKey: Hashable, Sendable {
        /// CryptoKit's `dataRepresentation` of the key; no secret.
        let blob: [UInt8]
        /// The enrolment digest at creation where the gate counts the set, otherwise empty.
        let enrollment: [UInt8]

        /// Makes a key behind a gate; also returns its public point, uncompressed.
        ///
        /// A key behind a gate ends with the passcode of the device, one without when that is asked for.
        static func make(
            _ use: KeyRequirements.Use, behind gate: UserGate?, endingWithPasscode endsWithPasscode: Bool = false
        ) throws(KeyVaultError) -> (key: EnclaveKey, point: [UInt8]) {
            let enrollment = try gate.map { gate throws(KeyVaultError) in
                try BiometricEnrollment.remembered(behind: gate)
            }
            let control = try EnclaveAccess.control(behind: gate, endingWithPasscode: endsWithPasscode)
            let (blob, point): (Data, Data) = try asking {
                switch use {
                case .signing:
                    let key = try SecureEnclave.P256.Signing.PrivateKey(accessControl: control)
                    return (key.dataRepresentation, key.publicKey.x963Representation)
                case .agreement:
                    let key = try SecureEnclave.P256.KeyAgreement.PrivateKey(accessControl: control)
                    return (key.dataRepresentation, key.publicKey.x963Representation)
                }
            }
            return (EnclaveKey(blob: Array(blob), enrollment: enrollment ?? []), Array(point))
        }

        /// Signs a message with ECDSA and SHA-256: r and s.
        func sign(_ message: [UInt8], in context: LAContext?) throws(KeyVaultError) -> [UInt8] {
            try use {
                let key = try SecureEnclave.P256.Signing.PrivateKey(
                    dataRepresentation: Data(blob), authenticationContext: context)
                return Array(try key.signature(for: message).rawRepresentation)
            }
        }

        func agree(
            with point: P256.KeyAgreement.PublicKey, in context: LAContext?
        ) throws(KeyVaultError) -> SharedSecret {
            try use {
                let key = try SecureEnclave.P256.KeyAgreement.PrivateKey(
                    dataRepresentation: Data(blob), authenticationContext: context)
                return try key.sharedSecretFromKeyAgreement(with: point)
            }
        }

        /// Does something with the key and says so when it is refused because the enrolment changed.
        private func use<Result>(_ body: () throws -> Result) throws(KeyVaultError) -> Result {
            do {
                return try Self.asking(body)
            } catch {
                guard !enrollment.isEmpty, error.mayHideChangedEnrollment,
                    BiometricEnrollment.hasChanged(since: enrollment)
                else { throw error }
                throw .userPresence(.enrollmentChanged)
            }
        }

        private static func asking<Result>(_ body: () throws -> Result) throws(KeyVaultError) -> Result {
            do {
                return try body()
            } catch {
                throw KeyVaultError(refusal: error)
            }
        }
    }

    /// The wrapped key with its length before it (two bytes, least significant first), then the enrolment (one byte).
    extension EnclaveKey {
        var octets: [UInt8] {
            var writer = OctetWriter()
            writer.writeUInt16LittleEndian(UInt16(clamping: blob.count))
            writer.write(blob)
            writer.writeUInt8(UInt8(clamping: enrollment.count))
            writer.write(enrollment)
            return writer.bytes
        }

        init(from reader: inout OctetReader) throws(OctetError) {
            let blob = Array(try reader.read(count: Int(try reader.readUInt16LittleEndian())))
            let enrollment = Array(try reader.read(count: Int(try reader.readUInt8())))
            self.init(blob: blob, enrollment: enrollment)
        }
    }
#endif
