// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import BackendAPI
import JOSE
import UAF

/// Listings of what an initiator, a device and an operator say to a server; each returns what it has made or read.
public enum OutOfBandListings {
    public static func dispatch(_ username: UserName, _ targetID: String) -> [UInt8] {
        // Listing begins
        let login = GetUAFRequest(AuthenticationContext(username: username))
        let dispatch = DispatchRequest(
            login, dispatcher: .firebaseCloudMessaging, dispatchTargetID: targetID,
            dispatchInformation: DispatchInformation(title: "Bank", text: "Confirm the sign-in"),
            channelLinking: .typed)
        let body = dispatch.body  // To `Endpoint.dispatchToken(.authentication)`.
        // Listing ends
        return body
    }

    public static func payload(_ scannedText: String) throws -> [UInt8]? {
        // Listing begins
        guard case .plain(let payload) = try OutOfBandEnvelope(base64URL: scannedText).content else { return nil }
        let redemption = RedeemRequest(token: payload.token)
        let body = redemption.body  // To the address `payload.redeemURL`.
        // Listing ends
        return body
    }

    public static func status(_ sessionID: String, ask: ([UInt8]) async throws -> [UInt8]) async throws -> String {
        // Listing begins
        var status = try SessionStatus(body: try await ask(StatusRequest(sessionID: sessionID).body))
        while !status.status.isFinal {
            let next = StatusRequest(sessionID: sessionID, after: status.status, wait: 30_000)
            status = try SessionStatus(body: try await ask(next.body))
        }
        // Listing ends
        return status.status.rawValue
    }

    public static func device(_ targetID: String, _ deviceID: DeviceID, requestID: String, now: Int64) -> [UInt8] {
        // Listing begins
        let service = Endpoint.deviceCredentials
        let address = "https://bank.example" + Endpoint.serviceRoot + service.path(naming: deviceID.text)
        let claims = DeviceClaims(
            dispatchTargetID: targetID, requestID: requestID, creationTime: now, audience: address,
            method: service.method)
        let payload = DeviceRequest(claims).body  // Signed by the key of the target, sent as `Device-Signature`.
        // Listing ends
        return payload
    }

    public static func target(
        _ name: DeviceName, _ signatureKey: JWK, _ encryptionKey: JWK, sign: ([UInt8]) throws -> String
    ) throws -> [UInt8] {
        let address = "https://bank.example/nevisfido/token/dispatch/targets"
        // Listing begins
        let target = NewDispatchTarget(
            name: name, deviceID: DeviceID("7f3a9c51"), destination: .disabledByUser, dispatcher: nil,
            signatureKey: signatureKey, encryptionKey: encryptionKey)
        let proof = DispatchTargetCreationProof(of: target, username: nil, audience: address)
        let creation = DispatchTargetCreation(target, proof: try sign(proof.body))
        let body = creation.body  // To `Endpoint.createDispatchTarget`.
        // Listing ends
        return body
    }

    public static func health(isDatabaseUp: Bool) -> (status: Int, body: [UInt8]) {
        // Listing begins
        let health = HealthBody(
            isUp: isDatabaseUp, components: [HealthBody.Component(name: "database", isUp: isDatabaseUp)])
        let (status, body) = (health.httpStatus, health.body)
        // Listing ends
        return (status, body)
    }
}
