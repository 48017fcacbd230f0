import BackendAPI
import Crypto
import Foundation
import HardwareKeys
import UAFClient

/// Maker of the statements about the application that go with responses; each server has its own key.
struct ApplicationStatement: Sendable {
    /// Provider that the application has chosen; nil makes no statements.
    let provider: (any AppAttestationProvider)?
    /// Address of the configured server, in whose spelling its key is kept.
    let home: URL

    func statement(
        about response: String, for server: ServerAddress
    ) async throws(CeremonyFailure) -> AppAttestationStatement? {
        guard let provider else { return nil }
        let digest = Array(SHA256.hash(data: Array(response.utf8)))
        do {
            return try await provider.statement(about: digest, for: text(of: server)).map {
                AppAttestationStatement($0)
            }
        } catch {
            throw error is CancellationError ? CeremonyFailure.canceled : .attestation(error)
        }
    }

    /// Says that a server has not taken the last statement.
    func refused(by server: ServerAddress) async { await provider?.forget(text(of: server)) }

    private func text(of server: ServerAddress) -> String {
        server == ServerAddress(home) ? home.absoluteString : server.text
    }
}

extension AppAttestationStatement {
    fileprivate init(_ proof: AppAttestationProof) {
        switch proof {
        case .newKey(let id, let attestation): self = .newAppleKey(id: id, attestation: attestation)
        case .key(let id, let assertion): self = .appleKey(id: id, assertion: assertion)
        }
    }
}
