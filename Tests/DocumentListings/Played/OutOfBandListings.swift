// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import BackendAPI
import JOSE
import UAF

/// Listings of what an initiator, a device and an operator say to a server; each returns what it has made or read.
public enum OutOfBandListings {
    public static func dispatch(_ username: UserName, _ targetID: String) -> [UInt8] {
        // Listing: DispatchRequest.swift
        return body
    }

    public static func payload(_ scannedText: String) throws -> [UInt8]? {
        // Listing: OutOfBandEnvelope.swift
        return body
    }

    public static func status(_ sessionID: String, ask: ([UInt8]) async throws -> [UInt8]) async throws -> String {
        // Listing: SessionStatus.swift
        return status.status.rawValue
    }

    public static func device(_ targetID: String, _ deviceID: DeviceID, requestID: String, now: Int64) -> [UInt8] {
        // Listing: DeviceRequest.swift
        return payload
    }

    public static func target(
        _ name: DeviceName, _ signatureKey: JWK, _ encryptionKey: JWK, sign: ([UInt8]) throws -> String
    ) throws -> [UInt8] {
        let address = "https://bank.example/nevisfido/token/dispatch/targets"
        // Listing: DispatchTargetCreation.swift
        return body
    }

    public static func health(isDatabaseUp: Bool) -> (status: Int, body: [UInt8]) {
        // Listing: HealthBody.swift
        return (status, body)
    }
}
