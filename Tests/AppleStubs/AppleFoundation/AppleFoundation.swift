// What Foundation has on Apple platforms and not on Linux; the names are Apple's, and so is their documentation.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase, TypeNamesShouldBeCapitalized

@_exported public import Foundation
@_exported public import FoundationNetworking
public import Security

/// A space of the stand-in: the server that it stands for shows certificates.
public final class StubProtectionSpace: URLProtectionSpace, @unchecked Sendable {
    fileprivate let trust: SecTrust?

    /// A server; without `trust` the question is for a password.
    public init(host: String, port: Int = 443, trust: SecTrust?) {
        self.trust = trust
        super.init(
            host: host, port: port, protocol: "https", realm: nil,
            authenticationMethod: trust == nil
                ? NSURLAuthenticationMethodHTTPBasic : "NSURLAuthenticationMethodServerTrust")
    }

    /// Never read from an archive.
    @available(*, unavailable)
    public required init?(coder: NSCoder) { nil }
}

extension URLProtectionSpace {
    public var serverTrust: SecTrust? { (self as? StubProtectionSpace)?.trust }
}

extension URLCredential {
    public convenience init(trust: SecTrust) { self.init(user: "trust", password: "", persistence: .none) }
}

/// Versions of TLS.
public enum tls_protocol_version_t: UInt16, Sendable {
    case TLSv12 = 0x0303
    case TLSv13 = 0x0304
}

extension URLSessionConfiguration {
    /// Not passed on: the library behind Foundation on Linux has no such setting.
    public var tlsMinimumSupportedProtocolVersion: tls_protocol_version_t {
        get { .TLSv12 }
        set { precondition(newValue == .TLSv12 || newValue == .TLSv13) }
    }
}

extension URLResourceValues {
    /// Not told by Foundation on Linux.
    public var volumeIsLocal: Bool? { true }
}
