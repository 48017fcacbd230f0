// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import BackendAPI
import UAF

/// Listings of the exchanges of UAF over HTTP; each returns what it has made or read.
public enum BackendAPIListings {
    public static func endpoint(contentType: String?, accept: String?) throws -> (path: String, answer: String) {
        // Listing: Endpoint.swift
        return (path, answer)
    }

    public static func body(_ body: [UInt8]) throws -> [UInt8] {
        // Listing: MessageBody.swift
        return forwarded
    }

    public static func request(_ username: UserName, answer: [UInt8]) throws -> (sent: [UInt8], message: String?) {
        // Listing: BackendAPI.md
        return (sent, message)
    }

    public static func response(_ message: String, answer: [UInt8]) throws -> (sent: [UInt8], token: String?) {
        // Listing: SendUAFResponse.swift
        return (sent, token)
    }

    public static func login(_ body: [UInt8]) throws -> UserName? {
        // Listing: FIDOLogin.swift
        return username
    }

    public static func cookies(_ field: String, now: Int64) throws -> String? {
        // Listing: CookieJar.swift
        return header
    }

    public static func refusal(_ body: [UInt8]) -> BackendAPIError.Answer? {
        var answer: BackendAPIError.Answer?
        func judge(_ response: SendUAFResponse) {}
        func respond(_ given: BackendAPIError.Answer) { answer = given }
        // Listing: BackendAPIError.swift
        return answer
    }

    public static func conformance(_ body: [UInt8]) throws -> UserName {
        // Listing: ConformanceContext.swift
        return username
    }
}
