import BackendAPI
import Foundation
import HardwareKeys
import JOSE
import Octets

/// What this device signs for a server: compact JWS with ES256 by the key in the vault (`backend-http-api` 4.1).
struct DeviceSignature: Sendable {
    let environment: ClientEnvironment
    let server: ServerAddress

    /// Who asks, for what and when, under a fresh identifier: no two requests are the same.
    func claims(of targetID: String, for method: Endpoint.Method, at audience: String) -> DeviceClaims {
        let (milliseconds, isOver) = environment.wallClock.secondsSince1970.multipliedReportingOverflow(by: 1000)
        return DeviceClaims(
            dispatchTargetID: targetID, requestID: Base64URL.encode(FreshOctets.make(count: 16)),
            creationTime: isOver ? .max : milliseconds, audience: audience, method: method)
    }

    /// The signed payload in compact serialization.
    func sign(_ payload: some MessageBody, keyID: String?) async throws(CeremonyFailure) -> String {
        let unsigned = UnsignedJWS(header: JOSEHeader(algorithm: .es256, keyID: keyID), payload: payload.body)
        return unsigned.signed(with: try await environment.store.signForDevice(unsigned.signingInput, at: server))
    }
}

extension BackendResource {
    /// The address without a slash at its end: what a signed request says it is meant for.
    ///
    /// Servers take every path with and without that slash (`backend-http-api` 0.1).
    func audience() throws(CeremonyFailure) -> String {
        let url: URL
        do throws(InsecureAddressError) {
            url = try self.url()
        } catch {
            throw .network(error)
        }
        var text = url.absoluteString
        while text.hasSuffix("/") { text.removeLast() }
        return text
    }
}
