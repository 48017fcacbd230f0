#if canImport(DeviceCheck) && canImport(Security)
    import DeviceCheck
    import Foundation
    public import HardwareKeys

    /// Statements about the application by Apple's App Attest, with one key for each server.
    ///
    /// The key is made in the Secure Enclave and attested by Apple's servers once; from then on it signs without them.
    /// Its name lies in the keychain, which outlives the application while the key does not: a key that is gone is
    /// replaced. The application needs the capability App Attest
    /// (`com.apple.developer.devicecheck.appattest-environment`).
    public struct AppAttest: AppAttestationProvider {
        /// Failure that is none of Apple's framework, whose errors are passed on as they come (`DCError`).
        @nonexhaustive
        public enum Failure: Error, Hashable, Sendable {
            /// The device or the kind of application has no App Attest.
            case unsupported
            /// The framework has named a key otherwise than by a digest.
            case malformedKeyName
        }

        private let items: KeychainItems
        /// Statements are made one after the other, so that two at once do not make two keys.
        private let turns = AsyncMutex()

        /// Statements whose keys are named in the keychain of the application, or of a group of applications.
        public init(accessGroup: String? = nil) {
            items = KeychainItems(service: "org.signet.app-attest", accessGroup: accessGroup)
        }

        /// An assertion of the key for a server, or the attestation of a new one.
        ///
        /// Throws ``Failure``, `KeyVaultError` of the keychain, or `DCError` (`serverUnavailable` where Apple's servers
        /// are not reached).
        public func statement(about digest: [UInt8], for server: String) async throws -> AppAttestationProof? {
            try await turns.withLock { () async throws -> AppAttestationProof in
                guard DCAppAttestService.shared.isSupported else { throw Failure.unsupported }
                if let name = try keyName(for: server), let proof = try await assertion(by: name, about: digest) {
                    return proof
                }
                return try await newKey(for: server, stating: digest)
            }
        }

        /// Forgets the key for a server; the next statement is about a new one.
        public func forget(_ server: String) async {
            await turns.withLock { () async -> Void in
                // What cannot be removed now is asserted once more, refused, and removed then.
                _ = try? items.remove(server)
            }
        }

        /// Nil when the key is gone, as after the application was deleted and installed again.
        private func assertion(by name: String, about digest: [UInt8]) async throws -> AppAttestationProof? {
            do {
                let assertion = try await DCAppAttestService.shared.generateAssertion(
                    name, clientDataHash: Data(digest))
                return .key(id: try Self.identifier(name), assertion: Array(assertion))
            } catch let error as DCError where error.code == .invalidKey {
                return nil
            }
        }

        private func newKey(for server: String, stating digest: [UInt8]) async throws -> AppAttestationProof {
            let name = try await DCAppAttestService.shared.generateKey()
            let id = try Self.identifier(name)
            let attestation = try await DCAppAttestService.shared.attestKey(name, clientDataHash: Data(digest))
            try keep(name, for: server)
            return .newKey(id: id, attestation: Array(attestation))
        }

        // MARK: - Names of keys

        private func keyName(for server: String) throws(KeyVaultError) -> String? {
            try items.read(server).map { String(decoding: $0, as: UTF8.self) }
        }

        private func keep(_ name: String, for server: String) throws(KeyVaultError) {
            do throws(KeyVaultError) {
                try items.add(server, value: Array(name.utf8))
            } catch .duplicateKey {
                try items.update(server, value: Array(name.utf8))
            }
        }

        private static func identifier(_ name: String) throws(Failure) -> [UInt8] {
            guard let id = Data(base64Encoded: name), id.count == 32 else { throw .malformedKeyName }
            return Array(id)
        }
    }
#endif
