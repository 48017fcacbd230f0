import HardwareKeys
import Octets

/// Asks the user to verify themselves, as a storage demands.
struct PresenceCheck {
    let presence: (any UserPresence)?

    /// Authorisation presented to the vault to open the key of a storage.
    ///
    /// A changed enrolment is noticed before the user is asked.
    func authorization(
        for header: StoreFileHeader, _ wrap: WrapSection
    ) async throws(SecureStorageError) -> KeyAuthorization {
        guard let gate = header.protection.gate else { return .none }
        if gate == .biometryCurrentSet {
            guard let enrolled = wrap[.enrollmentDigest], enrolled.count == WrapSection.digestByteCount else {
                throw .storageCorrupted
            }
            guard try await digest() == enrolled else { throw .enrollmentChanged }
        }
        return .userPresence(try await proof(of: gate))
    }

    func proof(of gate: UserGate) async throws(SecureStorageError) -> UserPresenceProof {
        guard let presence else { throw .userPresenceFailed(.unavailable) }
        do {
            let proof = try await presence.confirm(gate)
            guard proof.gate == gate else { throw UserPresenceError.mismatch }
            return proof
        } catch let error as UserPresenceError {
            throw SecureStorageError(error)
        } catch {
            throw .userPresenceFailed(.notResponding)
        }
    }

    /// Digest of the present enrolment.
    func digest() async throws(SecureStorageError) -> [UInt8] {
        guard let presence else { throw .userPresenceFailed(.unavailable) }
        do {
            let digest = try await presence.enrollmentDigest()
            guard digest.count == WrapSection.digestByteCount else { throw UserPresenceError.unavailable }
            return digest
        } catch let error as UserPresenceError {
            throw SecureStorageError(error)
        } catch {
            throw .userPresenceFailed(.notResponding)
        }
    }
}
