public import Foundation

/// Addresses of a server, time-outs, and trust in certificates.
///
/// Paths are joined to ``baseUrl`` without doubling the slash. With an address that is not `https:` the initializer ends
/// with `Unknown`.
///
/// ```swift
/// var configuration = Configuration(idSuiteHostname: host, userInteractionTimeoutInSeconds: 120)
/// configuration.additionalTrustedCertificates = [try Data(contentsOf: authority)]
/// ```
public struct Configuration: Encodable, Hashable, Sendable {
    /// The address that all paths are relative to.
    public let baseUrl: URL
    /// Path of the registration request service.
    public let registrationRequestPath: String
    /// Path of the registration response service.
    public let registrationResponsePath: String
    /// Path of the authentication request service.
    public let authenticationRequestPath: String
    /// Path of the authentication response service.
    public let authenticationResponsePath: String
    /// Path of the deregistration request service.
    public let deregistrationRequestPath: String
    /// Path of the dispatch targets, the records for push messages.
    public let dispatchTargetResourcePath: String
    /// Path of the device services.
    public let deviceResourcePath: String
    /// Time-out of each HTTP exchange with the server as a whole, in seconds, at most a day; then the operation ends
    /// with its `NetworkError`, whose cause is `URLError.timedOut`.
    ///
    /// It covers connection, handshake, request and the last byte of the answer, so it also covers a server that
    /// accepts the connection and stays silent, or sends a byte now and then. An operation makes two or three
    /// exchanges.
    public let networkTimeoutInSeconds: TimeInterval
    /// Time-out of each answer of the user, in seconds; a cool-down is added to it.
    public let userInteractionTimeoutInSeconds: TimeInterval
    /// The settings of the attestation of the application.
    public let appAttestation: AppAttestation?
    /// Certificates that are trusted besides the operating system's, each in DER form or as the content of a PEM
    /// file; what is neither ends the initializer with `Unknown`.
    public var additionalTrustedCertificates: [Data] = []
    /// SHA-256 digests of public keys (SubjectPublicKeyInfo, RSA or ECDSA); if there are any, the certificate of the
    /// server or of an authority behind it must have one of these keys.
    ///
    /// Name at least two: the key in use and one in reserve, which the server changes to when the first is lost or
    /// replaced. A single one is logged as a warning.
    public var pinnedCertificates: [Data] = []
    /// Whether `TLS_RSA_WITH_AES_128_GCM_SHA256` and `TLS_RSA_WITH_AES_256_GCM_SHA384` are offered as well; false by
    /// default.
    ///
    /// They give no forward secrecy: an attacker who gets the key of the server later reads recorded connections. Allow
    /// them only for a server that offers nothing better. Apple platforms keep the choice of the system.
    public var allowsSuitesWithoutForwardSecrecy = false
    /// Hosts for development that the debug flavour of the SDK talks to besides loopback and private ones, each a name
    /// or an IP address without port; the release flavour does not read them.
    ///
    /// At a listed host the debug flavour accepts a certificate of any issuer, wherever the name leads: list no host
    /// that serves customers.
    public var debugFlavorHosts: [String] = []
    /// Further addresses whose origin (scheme, host and port) stands for the origin of ``baseUrl`` where a payload says at
    /// which address its token is redeemed; for servers behind another name than the one that applications use.
    ///
    /// Everything else still goes to ``baseUrl``. An address that is not `https:` allows nothing.
    public var additionalRedeemOrigins: [URL] = []

    /// A self-hosted server, with every path configurable.
    public init(
        baseUrl: URL,
        registrationRequestPath: String = "/uaf/1.1/request/registration/",
        registrationResponsePath: String = "/uaf/1.1/registration/",
        authenticationRequestPath: String = "/uaf/1.1/request/authentication/",
        authenticationResponsePath: String = "/uaf/1.1/authentication/",
        deregistrationRequestPath: String = "/uaf/1.1/request/deregistration/",
        dispatchTargetResourcePath: String = "/token/dispatch/targets/",
        deviceResourcePath: String = "/devices/",
        networkTimeoutInSeconds: TimeInterval = Self.defaultNetworkTimeout,
        userInteractionTimeoutInSeconds: TimeInterval = Self.defaultInteractionTimeout,
        appAttestation: AppAttestation? = nil
    ) {
        self.baseUrl = baseUrl
        self.registrationRequestPath = registrationRequestPath
        self.registrationResponsePath = registrationResponsePath
        self.authenticationRequestPath = authenticationRequestPath
        self.authenticationResponsePath = authenticationResponsePath
        self.deregistrationRequestPath = deregistrationRequestPath
        self.dispatchTargetResourcePath = dispatchTargetResourcePath
        self.deviceResourcePath = deviceResourcePath
        self.networkTimeoutInSeconds = networkTimeoutInSeconds
        self.userInteractionTimeoutInSeconds = userInteractionTimeoutInSeconds
        self.appAttestation = appAttestation
    }

    /// An instance of the Authentication Cloud; the base address is `https://<hostname>/_app`.
    public init(
        authCloudHostname: String,
        networkTimeoutInSeconds: TimeInterval = Self.defaultNetworkTimeout,
        userInteractionTimeoutInSeconds: TimeInterval = Self.defaultInteractionTimeout
    ) {
        self.init(
            baseUrl: Self.address(host: authCloudHostname, path: "/_app"),
            networkTimeoutInSeconds: networkTimeoutInSeconds,
            userInteractionTimeoutInSeconds: userInteractionTimeoutInSeconds)
    }

    /// An Identity Suite with the default paths; the base address is `https://<hostname>`.
    public init(
        idSuiteHostname: String,
        networkTimeoutInSeconds: TimeInterval = Self.defaultNetworkTimeout,
        userInteractionTimeoutInSeconds: TimeInterval = Self.defaultInteractionTimeout
    ) {
        self.init(
            baseUrl: Self.address(host: idSuiteHostname, path: ""),
            registrationRequestPath: "/nevisfido/uaf/1.1/request/registration/",
            registrationResponsePath: "/nevisfido/uaf/1.1/registration/",
            authenticationRequestPath: "/auth/fidouaf",
            authenticationResponsePath: "/auth/fidouaf/authenticationresponse/",
            deregistrationRequestPath: "/nevisfido/uaf/1.1/request/deregistration/",
            dispatchTargetResourcePath: "/nevisfido/token/dispatch/targets/",
            deviceResourcePath: "/nevisfido/devices/",
            networkTimeoutInSeconds: networkTimeoutInSeconds,
            userInteractionTimeoutInSeconds: userInteractionTimeoutInSeconds)
    }

    /// The default of ``networkTimeoutInSeconds``: 60 seconds.
    public static let defaultNetworkTimeout: TimeInterval = 60
    /// The default of ``userInteractionTimeoutInSeconds``: 240 seconds.
    public static let defaultInteractionTimeout: TimeInterval = 240

    /// The address of a host; a text that is no host gives an address that the initializer refuses.
    private static func address(host: String, path: String) -> URL {
        URL(string: "https://\(host)\(path)") ?? URL(filePath: "/")
    }
}
