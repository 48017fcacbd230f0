// swift-tools-version:6.3
import PackageDescription

// Every target stands in the folder of its layer (docs/contribute/architecture.md). The lists of dependencies below are
// the table of allowed imports: ArchitectureTests compares them with what the sources really import.

// MARK: - Settings

let strict: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]
/// With SIGNET_FUZZ the parsers are built for libFuzzer, see script/fuzz.
let isFuzzing = Context.environment["SIGNET_FUZZ"] != nil
let fuzzed: [SwiftSetting] =
    isFuzzing ? [.unsafeFlags(["-sanitize=fuzzer,address", "-parse-as-library"]), .define("FUZZ")] : []
let memorySafe: [SwiftSetting] = strict + [.strictMemorySafety()]

/// What Apple's review wants to know of a library that applications take in.
let privacyManifest: [Resource] = [.copy("PrivacyInfo.xcprivacy")]

enum Layer: String {
    case `protocol` = "Protocol"
    case device = "Device"
    case server = "Server"
    case commands = "Commands"
}

func target(
    _ name: String, _ layer: Layer, _ dependencies: [Target.Dependency], settings: [SwiftSetting] = strict,
    resources: [Resource] = []
) -> Target {
    .target(
        name: name, dependencies: dependencies, path: "Sources/\(layer.rawValue)/\(name)", resources: resources,
        swiftSettings: settings + (layer == .commands ? [] : fuzzed))
}

func executable(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(
        name: name, dependencies: dependencies, path: "Sources/Commands/\(name)", swiftSettings: strict)
}

func system(_ name: String, pkgConfig: String, apt: String) -> Target {
    .systemLibrary(name: name, path: "Sources/System/\(name)", pkgConfig: pkgConfig, providers: [.apt([apt])])
}

func tests(_ subject: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
    .testTarget(
        name: "\(subject)Tests", dependencies: dependencies + ["TestSupport"], exclude: exclude, swiftSettings: strict)
}

/// With SIGNET_TESTS=ServerCore,ServerHTTP only those suites are built, as script/test does for the names that it is given.
let chosenSuites = Context.environment["SIGNET_TESTS"].map { Set($0.split(separator: ",").map { "\($0)Tests" }) }

// MARK: - Library products of other packages

let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let cryptoExtras = Target.Dependency.product(name: "CryptoExtras", package: "swift-crypto")
let x509 = Target.Dependency.product(name: "X509", package: "swift-certificates")
let asn1 = Target.Dependency.product(name: "SwiftASN1", package: "swift-asn1")
let httpTypes = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")
let nioCore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioEmbedded = Target.Dependency.product(name: "NIOEmbedded", package: "swift-nio")
let nioPosix = Target.Dependency.product(name: "NIOPosix", package: "swift-nio")
let nioHTTP1 = Target.Dependency.product(name: "NIOHTTP1", package: "swift-nio")
let nioSSL = Target.Dependency.product(name: "NIOSSL", package: "swift-nio-ssl")
let asyncHTTPClient = Target.Dependency.product(name: "AsyncHTTPClient", package: "async-http-client")
let hummingbird = Target.Dependency.product(name: "Hummingbird", package: "hummingbird")
let hummingbirdCore = Target.Dependency.product(name: "HummingbirdCore", package: "hummingbird")
let hummingbirdTLS = Target.Dependency.product(name: "HummingbirdTLS", package: "hummingbird")
let hummingbirdTesting = Target.Dependency.product(name: "HummingbirdTesting", package: "hummingbird")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let sqlite = Target.Dependency.product(name: "GRDBSQLite", package: "GRDB.swift")
let mustache = Target.Dependency.product(name: "Mustache", package: "swift-mustache")
let yams = Target.Dependency.product(name: "Yams", package: "Yams")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let metrics = Target.Dependency.product(name: "Metrics", package: "swift-metrics")
let serviceLifecycle = Target.Dependency.product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let unixSignals = Target.Dependency.product(name: "UnixSignals", package: "swift-service-lifecycle")
let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")

// MARK: - Targets

let protocolLayer: [Target] = [
    target("Locking", .protocol, [], settings: memorySafe),
    target("Octets", .protocol, ["Locking"], settings: memorySafe),
    target("StrictJSON", .protocol, ["Octets"]),
    target("StrictCBOR", .protocol, ["Octets"]),
    target("UAF", .protocol, ["Octets", "StrictJSON", crypto], settings: memorySafe),
    target("JOSE", .protocol, ["Octets", "StrictJSON", crypto, cryptoExtras], settings: memorySafe),
    target("BackendAPI", .protocol, ["Octets", "StrictJSON", "UAF", "JOSE", httpTypes]),
    // Statements about confirmed operations, which both programs verify.
    target("Receipts", .protocol, ["Octets", "StrictJSON", "UAF", "JOSE", crypto, cryptoExtras], settings: memorySafe),
]

let deviceLayer: [Target] = [
    target("HardwareKeys", .device, ["Locking", "Octets", crypto, cryptoExtras]),
    target("HardwareKeysApple", .device, ["Octets", "HardwareKeys", "SecureStorage"]),
    target(
        "SecureStorage", .device, ["Locking", "Octets", "HardwareKeys", crypto, cryptoExtras],
        settings: strict + fuzzed,
        resources: privacyManifest),
    target(
        "HardwareKeysTPM", .device, ["Octets", "HardwareKeys", "SecureStorage", "CTSS2", crypto],
        settings: strict + fuzzed),
    target("Argon2KeyDerivation", .device, ["Octets", "HardwareKeys", "SecureStorage", "CArgon2"]),
    target("Authenticators", .device, ["Octets", "UAF", "HardwareKeys", "SecureStorage", crypto, cryptoExtras]),
    target("TamperGuards", .device, ["Locking", "Octets", crypto]),
    target(
        "UserVerificationLinux", .device, ["Octets", "HardwareKeys", "CPAM", "CDBus", crypto]),
    target(
        "BackendTransport", .device, ["Locking", "Octets", "StrictJSON", "HardwareKeys", crypto, cryptoExtras]),
    target(
        "BackendTransportLinux", .device,
        ["BackendTransport", "Locking", crypto, asyncHTTPClient, nioCore, nioPosix, nioHTTP1, nioSSL]),
    target("UAFClient", .device, ["Octets", "UAF", "BackendAPI", "Authenticators"]),
    target(
        "MobileAuthentication", .device,
        [
            "Locking", "Octets", "StrictJSON", "UAF", "JOSE", "BackendAPI", "BackendTransport", "HardwareKeys",
            "Authenticators", "UAFClient", crypto,
            .target(name: "HardwareKeysApple", condition: .when(platforms: [.macOS, .iOS])),
            .target(name: "BackendTransportLinux", condition: .when(platforms: [.linux])),
            .target(name: "HardwareKeysTPM", condition: .when(platforms: [.linux])),
            .target(name: "UserVerificationLinux", condition: .when(platforms: [.linux])),
        ],
        resources: privacyManifest),
    // The module name of the closed SDK, for applications that qualify names by it.
    target("NevisMobileAuthentication", .device, ["MobileAuthentication"]),
    target(
        "MobileAuthenticationTestKit", .device,
        ["Locking", "MobileAuthentication", "BackendTransport", "HardwareKeys", "Authenticators", "UAF", crypto]),
    // A phone whose screen is a page on loopback, and its camera a picture.
    target(
        "PhonePage", .device,
        [
            "Locking", "Octets", "StrictJSON", "MobileAuthentication", "CPNG", "CZBar", nioCore, nioPosix, httpTypes,
            hummingbirdCore, logging, crypto,
        ],
        resources: ["page.css", "page.js", "texts.js"].map { .embedInCode("Resources/\($0)") }),
]

let serverLayer: [Target] = [
    target(
        "RelyingParty", .server,
        ["DeviceAttestation", "Octets", "UAF", "CSecp256k1", crypto, cryptoExtras, x509, asn1], settings: memorySafe),
    target(
        "DeviceAttestation", .server, ["Octets", "StrictCBOR", crypto, cryptoExtras, x509, asn1], settings: memorySafe),
    target("QRCode", .server, ["CQREncode", "CPNG"]),
    target("LoadControl", .server, []),
    // Connections, TLS and one request after the other; knows no route and no service.
    target(
        "HTTPEngine", .server,
        [
            "LoadControl", "Octets", hummingbirdCore, httpTypes, nioCore, nioPosix, nioHTTP1, nioSSL, serviceLifecycle,
            logging, crypto, x509, asn1,
        ]),
    target(
        "ServerCore", .server,
        [
            "LoadControl", "Octets", "StrictJSON", "UAF", "JOSE", "BackendAPI", "RelyingParty",
            "DeviceAttestation", crypto, cryptoExtras, logging, metrics,
        ]),
    target(
        "UAFService", .server,
        [
            "ServerCore", "LoadControl", "Locking", "Octets", "StrictJSON", "UAF", "JOSE", "BackendAPI",
            "RelyingParty", "DeviceAttestation", "QRCode", "Receipts", crypto, logging,
        ]),
    target(
        "OpenID", .server,
        ["UAFService", "ServerCore", "BackendAPI", "JOSE", "StrictJSON", "Octets", "QRCode", "UAF", crypto, logging]),
    target(
        "OutgoingRequests", .server,
        [
            "OpenID", "ServerCore", "StrictJSON", "Octets", "UAF", nioCore, nioPosix, nioHTTP1, nioSSL, logging,
            metrics, crypto,
        ]),
    target(
        "SignInPages", .server,
        ["OpenID", "UAFService", "ServerCore", "BackendAPI", "Octets", "UAF", mustache, crypto],
        resources: [
            .embedInCode("Resources/signet.css"), .embedInCode("Resources/sign-in.js"),
            .embedInCode("Resources/signet-web.js"), .embedInCode("Resources/page.mustache"),
            .embedInCode("Resources/sign-in.mustache"), .embedInCode("Resources/devices.mustache"),
            .embedInCode("Resources/username.mustache"), .embedInCode("Resources/message.mustache"),
            .embedInCode("Resources/answer.mustache"),
            .embedInCode("Resources/front.mustache"),
        ]),
    target("StrictYAML", .server, [yams]),
    target(
        "ServerConfiguration", .server,
        ["LoadControl", "ServerCore", "UAFService", "OpenID", "StrictYAML", "Octets", "UAF"]),
    target(
        "ServerPersistence", .server,
        ["LoadControl", "ServerCore", "UAFService", "OpenID", "DeviceAttestation", "BackendAPI", "UAF"]),
    target("ServerPersistenceSQLite", .server, ["ServerPersistence", grdb, sqlite]),
    target("ServerProcesses", .server, ["Locking", "ServerCore", metrics]),
    target(
        "ServerPersistencePostgreSQL", .server,
        ["LoadControl", "ServerPersistence", "ServerCore", "Locking", "Octets", "CPostgreSQL"]),
    target(
        "ServerHTTP", .server,
        [
            "LoadControl", "ServerCore", "UAFService", "OpenID", "HTTPEngine",
            "SignInPages", "BackendAPI", "Octets", "StrictJSON", "UAF", hummingbird, hummingbirdCore, httpTypes,
            nioCore, logging, metrics,
        ],
        // A link to docs/web/openapi.yaml.
        resources: [.embedInCode("Resources/openapi.yaml")]),
    target(
        "ServerPush", .server,
        [
            "ServerCore", "BackendAPI", "JOSE", "StrictJSON", "Octets", asyncHTTPClient, nioCore, nioHTTP1, nioSSL,
            logging, crypto, cryptoExtras,
        ]),
    target(
        "PushSink", .server,
        [
            "ServerCore", "HTTPEngine", "ServerHTTP", "JOSE", "StrictJSON", "Octets", hummingbird, httpTypes, nioCore,
            logging, crypto, cryptoExtras,
        ]),
]

let commandsLayer: [Target] = [
    target(
        "CommandSupport", .commands,
        ["QRCode", "StrictYAML", "StrictJSON", "Locking", "Octets", cryptoExtras, x509, asn1, argumentParser]),
    target(
        "DeviceCommands", .commands,
        [
            "CommandSupport", "Authenticators", "MobileAuthentication", "MobileAuthenticationTestKit", "UAFClient",
            "HardwareKeys", "HardwareKeysTPM", "UserVerificationLinux", "SecureStorage", "TamperGuards",
            "BackendTransport", "BackendTransportLinux", "BackendAPI", "StrictYAML", "PhonePage", "Receipts",
            "JOSE", "StrictJSON", "UAF", "Octets", argumentParser, unixSignals,
        ]),
    // Beside the demonstrations it has the root command of signet, which lists all others.
    target(
        "DemoCommands", .commands,
        [
            "CommandSupport", "DeviceCommands", "BackendTransport", "BackendTransportLinux", "BackendAPI", "StrictJSON",
            "UAF", "Octets", "Locking", argumentParser, unixSignals,
        ]),
    // What the server and the push sink have in common as processes.
    target(
        "ServerCommandSupport", .commands,
        [
            "CommandSupport", "StrictYAML", "ServerConfiguration", "ServerCore", "HTTPEngine",
            "ServerHTTP", logging, metrics, serviceLifecycle, unixSignals,
        ]),
    target(
        "ServerCommands", .commands,
        [
            "CommandSupport", "ServerCommandSupport", "StrictYAML", "ServerConfiguration",
            "LoadControl", "ServerCore", "ServerHTTP", "ServerPersistence", "ServerPersistencePostgreSQL", "OpenID",
            "UAFService", "OutgoingRequests", "SignInPages", "HTTPEngine",
            "ServerPersistenceSQLite", "ServerProcesses", "ServerPush", "BackendAPI", "StrictJSON", "UAF",
            "Octets", argumentParser, hummingbird, logging, metrics, nioCore, serviceLifecycle, unixSignals,
        ]),
    target(
        "PushSinkCommands", .commands,
        [
            "CommandSupport", "ServerCommandSupport", "PushSink", "ServerConfiguration", "ServerCore", "ServerHTTP",
            "StrictJSON", argumentParser, hummingbird, logging, serviceLifecycle, unixSignals,
        ]),
    executable("signet", ["DemoCommands"]),
    executable("signet-server", ["ServerCommands"]),
    // A program for trials and tests; a release has it beside the others, because "signet try" starts it.
    executable("signet-push-sink", ["PushSinkCommands"]),
]

let systemLibraries: [Target] = [
    system("CSecp256k1", pkgConfig: "libsecp256k1", apt: "libsecp256k1-dev"),
    system("CArgon2", pkgConfig: "libargon2", apt: "libargon2-dev"),
    system("CTSS2", pkgConfig: "tss2-esys", apt: "libtss2-dev"),
    system("CPAM", pkgConfig: "pam", apt: "libpam0g-dev"),
    system("CDBus", pkgConfig: "libsystemd", apt: "libsystemd-dev"),
    system("CQREncode", pkgConfig: "libqrencode", apt: "libqrencode-dev"),
    system("CPNG", pkgConfig: "libpng", apt: "libpng-dev"),
    system("CPostgreSQL", pkgConfig: "libpq", apt: "libpq-dev"),
    system("CZBar", pkgConfig: "zbar", apt: "libzbar-dev"),
]

let testTargets: [Target] = [
    .target(
        name: "TestSupport",
        dependencies: [
            "Locking", "Octets", "StrictJSON", "StrictCBOR", "UAF", "JOSE", "BackendAPI", "RelyingParty", "LoadControl",
            "CommandSupport", "ServerCore", "UAFService", "OpenID", "DeviceAttestation", "BackendTransport",
            "CSecp256k1", "HardwareKeys", "HardwareKeysTPM", "SecureStorage", "ServerPersistence",
            "ServerPersistencePostgreSQL", "ServerPersistenceSQLite", crypto,
            cryptoExtras, x509,
            asn1,
            httpTypes, hummingbird, hummingbirdTLS, nioCore, nioSSL, logging, serviceLifecycle,
        ],
        path: "Tests/TestSupport", swiftSettings: strict),
    // Histories of concurrent operations and the check that an order explains them; needs nothing of the package.
    .target(name: "Linearizability", path: "Tests/Linearizability", swiftSettings: strict),
    // The protocol's layer but for UAF: bytes, their encodings, locks, signatures, the contract over HTTP.
    tests(
        "Foundations",
        [
            "Locking", "Octets", "StrictJSON", "StrictCBOR", "JOSE", "BackendAPI", "UAF", crypto, cryptoExtras, httpTypes,
        ]),
    tests("UAF", ["UAF", "UAFClient", "Authenticators", "BackendAPI", "Octets", "StrictJSON", crypto]),
    tests("HardwareKeys", ["HardwareKeys", "HardwareKeysTPM", "Locking", "Octets", crypto, cryptoExtras]),
    .executableTarget(
        name: "StorageCrashChild", dependencies: ["TestSupport"], path: "Tests/StorageCrashChild", swiftSettings: strict
    ),
    tests(
        "SecureStorageCrash",
        ["SecureStorage", "HardwareKeys", "HardwareKeysTPM", "Locking", "StorageCrashChild"]),
    tests(
        "SecureStorage",
        [
            "SecureStorage", "Argon2KeyDerivation", "HardwareKeys", "HardwareKeysTPM", "Locking", "Octets",
            "StrictJSON",
            crypto, cryptoExtras,
        ],
        exclude: ["Golden"]),
    .executableTarget(
        name: "PasscodeChild", dependencies: ["UserVerificationLinux", "HardwareKeys"], path: "Tests/PasscodeChild",
        swiftSettings: strict),
    tests(
        "UserVerificationLinux",
        [
            "UserVerificationLinux", "MobileAuthentication", "Authenticators", "SecureStorage", "HardwareKeys", "UAF",
            "PasscodeChild",
        ]),
    // The program that is traced, patched and preloaded in the tests of the guards.
    .executableTarget(
        name: "GuardChild", dependencies: ["TamperGuards", "Octets"], path: "Tests/GuardChild", swiftSettings: strict),
    tests("TamperGuards", ["TamperGuards", "Locking", "Octets", "GuardChild"]),
    tests(
        "Authenticators",
        [
            "Authenticators", "HardwareKeys", "HardwareKeysTPM", "SecureStorage", "Octets", "UAF", "StrictJSON", crypto,
            cryptoExtras,
        ]),
    tests(
        "BackendTransport",
        [
            "BackendTransport", "BackendTransportLinux", "Locking", "Octets", nioCore, nioPosix, nioSSL, x509, asn1,
            crypto, cryptoExtras,
        ]),
    tests(
        "MobileAuthentication",
        [
            "MobileAuthentication", "MobileAuthenticationTestKit", "UAFClient", "Authenticators", "HardwareKeys",
            "HardwareKeysTPM", "BackendTransport", "BackendAPI", "UAF", "JOSE", "Locking", "Octets", "StrictJSON",
            httpTypes, crypto,
        ]),
    // Programs as applications are, with nothing imported but the SDK: the first of the README, and the listings of the
    // documents.
    .executableTarget(
        name: "ReadmeProgram", dependencies: ["MobileAuthentication"], path: "Tests/ReadmeProgram",
        swiftSettings: [.treatAllWarnings(as: .error)]),
    .executableTarget(
        name: "ListingPlayer", dependencies: ["MobileAuthentication"], path: "Tests/ListingPlayer",
        swiftSettings: [.treatAllWarnings(as: .error)]),
    // The listings of the other products, built as an application builds them: without what is public to the package only.
    .target(
        name: "DocumentListings",
        dependencies: [
            "UAF", "JOSE", "BackendAPI", "HardwareKeys", "SecureStorage", "Argon2KeyDerivation", "HardwareKeysTPM",
            "UserVerificationLinux", "MobileAuthentication", "MobileAuthenticationTestKit", "NevisMobileAuthentication",
            "TamperGuards",
        ],
        path: "Tests/DocumentListings", packageAccess: false,
        swiftSettings: [.treatAllWarnings(as: .error), .enableUpcomingFeature("NonisolatedNonsendingByDefault")]),
    tests(
        "DocumentListings",
        [
            "DocumentListings", "UAF", "JOSE", "BackendAPI", "HardwareKeys", "HardwareKeysTPM", "SecureStorage",
            "UserVerificationLinux", "MobileAuthentication", "MobileAuthenticationTestKit", "NevisMobileAuthentication",
            "TamperGuards", crypto,
        ]),
    // The call sites of the two suites below, run as the application that they come from, in both language modes.
    .executableTarget(
        name: "CallSitePlayer", dependencies: ["MobileAuthentication"], path: "Tests/CallSitePlayer",
        swiftSettings: [.treatAllWarnings(as: .error)]),
    .executableTarget(
        name: "CallSitePlayerSwift5", dependencies: ["MobileAuthentication"], path: "Tests/CallSitePlayerSwift5",
        swiftSettings: [.treatAllWarnings(as: .error), .swiftLanguageMode(.v5)]),
    // Call sites as applications have them: the same files in both language modes, with nothing imported but the SDK.
    .testTarget(
        name: "CallSitesSwift6Tests", dependencies: ["MobileAuthentication"],
        swiftSettings: [.treatAllWarnings(as: .error)]),
    .testTarget(
        name: "CallSitesSwift5Tests", dependencies: ["MobileAuthentication", "NevisMobileAuthentication"],
        swiftSettings: [.treatAllWarnings(as: .error), .swiftLanguageMode(.v5)]),
    tests(
        "RelyingParty",
        [
            "RelyingParty", "DeviceAttestation", "HardwareKeys", "HardwareKeysTPM", "UAF", "Octets",
            "StrictJSON", "StrictCBOR", crypto, cryptoExtras, x509, asn1, "AllocationChild",
        ]),
    // What the benchmark measures in time and a test in memory; the program whose allocator counts.
    .target(
        name: "RelyingPartyWorkload", dependencies: ["RelyingParty", "TestSupport", "UAF", crypto, cryptoExtras],
        path: "Benchmarks/RelyingPartyWorkload", swiftSettings: strict),
    .target(name: "CAllocationCount", path: "Tests/CAllocationCount"),
    .executableTarget(
        name: "AllocationChild", dependencies: ["RelyingPartyWorkload", "CAllocationCount"],
        path: "Tests/AllocationChild", swiftSettings: strict),
    tests(
        "OpenID",
        [
            "OpenID", "UAFService", "Receipts", "ServerCore", "BackendAPI", "JOSE", "StrictJSON", "Octets", "UAF",
            crypto, cryptoExtras, "SignInPages",
        ]),
    tests(
        "OutgoingRequests",
        [
            "OutgoingRequests", "ServerCore", "UAFService", "OpenID", "HTTPEngine", "StrictJSON", "Octets", "UAF",
            "ServerPush", "PushSink", "ServerHTTP",
            "BackendAPI", "JOSE", nioCore, nioPosix, nioHTTP1, nioSSL, logging, x509, crypto, asyncHTTPClient,
            hummingbird, hummingbirdTLS, httpTypes, cryptoExtras, serviceLifecycle,
        ]),
    tests(
        "ServerCore",
        [
            "ServerCore", "UAFService", "OpenID", "ServerPersistence", "ServerProcesses", "RelyingParty", "BackendAPI",
            "LoadControl", "UAF", "JOSE", "Octets", "StrictJSON", crypto,
        ]),
    tests(
        "UAFService",
        [
            "UAFService", "ServerCore", "OpenID", "ServerPersistence", "RelyingParty", "DeviceAttestation", "LoadControl",
            "BackendAPI", "UAF", "JOSE", "Locking", "Octets", "StrictJSON", "StrictCBOR", "QRCode", "Linearizability",
            crypto, x509, asn1, logging,
        ]),
    tests(
        "ServerConfiguration",
        [
            "ServerConfiguration", "StrictYAML", "LoadControl", "ServerCore", "UAFService", "OpenID", "BackendAPI",
            "Octets", "UAF",
        ]),
    tests(
        "ServerPersistence",
        [
            "ServerPersistence", "ServerPersistencePostgreSQL", "ServerPersistenceSQLite", "LoadControl", "ServerCore",
            "UAFService", "OpenID",
            "StrictJSON",
            "RelyingParty", "DeviceAttestation", "BackendAPI", "UAF", "Octets", grdb,
        ]),
    tests(
        "ServerHTTP",
        [
            "ServerHTTP", "CommandSupport", "OpenID", "UAFService", "LoadControl", "ServerCore", "ServerPersistence",
            "ServerPersistenceSQLite", "SignInPages", "BackendAPI", "HTTPEngine",
            "UAF", "JOSE", "Octets", "StrictJSON", "RelyingParty", hummingbird, hummingbirdTesting, asyncHTTPClient,
            httpTypes, nioCore, nioEmbedded, nioPosix, nioHTTP1, nioSSL, serviceLifecycle, logging, metrics, crypto,
            cryptoExtras, x509, asn1,
        ]),
    tests(
        "CommandSupport",
        ["CommandSupport", "StrictYAML", "QRCode", argumentParser]),
    tests(
        "DeviceCommands",
        [
            "DeviceCommands", "DemoCommands", "CommandSupport", "MobileAuthentication", "MobileAuthenticationTestKit",
            "Authenticators", "BackendTransport", "BackendTransportLinux", "BackendAPI", "HardwareKeys",
            "HardwareKeysTPM", "SecureStorage", "StrictYAML", "StrictJSON", "Octets", "TamperGuards", "Receipts",
            "JOSE", "UAF", "PhonePage", "QRCode", "CPNG", "CQREncode", crypto, cryptoExtras, argumentParser, nioSSL, nioCore, nioPosix, httpTypes,
        ]),
    tests(
        "ServerCommands",
        [
            "ServerCommands", "ServerCommandSupport", "PushSinkCommands", "CommandSupport", "PushSink",
            "ServerHTTP", "ServerPersistence", "ServerConfiguration", "StrictYAML", "ServerCore", "UAFService",
            "OpenID", "BackendAPI", "UAF", "HTTPEngine",
            "StrictJSON", "Octets", argumentParser, logging,
        ]),
    tests(
        "EndToEnd",
        [
            "DeviceCommands", "DemoCommands", "CommandSupport", "MobileAuthentication", "MobileAuthenticationTestKit",
            "Authenticators", "HardwareKeys", "HardwareKeysTPM", "BackendAPI", "BackendTransport",
            "BackendTransportLinux", "StrictJSON",
            "UAF", "Locking", "Octets", "ServerCore", "UAFService", "OpenID", "ServerPersistence",
            "ServerPersistenceSQLite", "ReadmeProgram", "ListingPlayer", "CallSitePlayer", "CallSitePlayerSwift5",
            "DocumentListings", "Linearizability", crypto,
        ]),
    tests("Architecture", ["Locking", "StrictJSON"]),
    // The part of the benchmarks that decides what their figures mean; it is built and tested with everything else.
    .target(
        name: "LoadGenerator", dependencies: ["TestSupport"], path: "Benchmarks/LoadGenerator", swiftSettings: strict),
    // What tests and benchmarks are made of is tested, too.
    tests("TestSupport", ["Linearizability", "LoadGenerator"]),
]

/// Every parser that reads what a stranger sent, as fuzzers feed it.
let fuzzTargets: [Target] =
    [
        .target(
            name: "FuzzParsers",
            dependencies: [
                "Octets", "StrictJSON", "StrictCBOR", "UAF", "JOSE", "BackendAPI", "DeviceAttestation", "SecureStorage",
                "HardwareKeys", "HardwareKeysTPM", "TestSupport",
            ],
            path: "Fuzz/Parsers", swiftSettings: strict + fuzzed),
        .target(
            name: "FuzzPipelines",
            dependencies: [
                "FuzzParsers", "TestSupport", "BackendAPI", "PushSink", "ServerCore", "UAFService", "OpenID",
                "ServerHTTP", "UAF", hummingbird,
                logging, nioPosix,
            ],
            path: "Fuzz/Pipelines", swiftSettings: strict + fuzzed),
        .target(
            name: "FuzzPhone",
            dependencies: ["FuzzParsers", "MobileAuthentication", "MobileAuthenticationTestKit", "BackendAPI", "UAF"],
            path: "Fuzz/Phone", swiftSettings: strict + fuzzed),
        tests("FuzzReplay", ["FuzzParsers", "FuzzPipelines", "FuzzPhone", "BackendAPI"]),
    ]
    + (isFuzzing
        ? [
            .executableTarget(
                name: "signet-fuzz", dependencies: ["FuzzParsers", "FuzzPipelines", "FuzzPhone"],
                path: "Fuzz/signet-fuzz",
                swiftSettings: strict + fuzzed,
                linkerSettings: [.unsafeFlags(["-sanitize=fuzzer,address", "-use-ld=lld"])])
        ] : [])

// Benchmarks cost build time that ordinary builds should not pay: SIGNET_BENCHMARKS=1 switches them on.
let benchmarkTargets: [Target] =
    Context.environment["SIGNET_BENCHMARKS"] == "1"
    ? [
        .target(name: "BenchmarkSupport", path: "Benchmarks/BenchmarkSupport", swiftSettings: strict),
        .executableTarget(
            name: "RelyingPartyBenchmarks",
            dependencies: ["BenchmarkSupport", "RelyingPartyWorkload", "TestSupport"],
            path: "Benchmarks/RelyingPartyBenchmarks", swiftSettings: strict),
        .executableTarget(
            name: "ServerBenchmarks",
            dependencies: [
                "BenchmarkSupport", "LoadGenerator", "CommandSupport", "DemoCommands", "DeviceCommands", "TestSupport",
                "BackendAPI", "JOSE", "UAF", "Locking", "Octets", "StrictJSON", "ServerCore", "UAFService", "OpenID",
                "ServerHTTP",
                "ServerPersistence", "HTTPEngine",
                "ServerPersistencePostgreSQL", "ServerPersistenceSQLite", crypto, httpTypes, nioCore, nioPosix,
                nioHTTP1, nioSSL, unixSignals,
            ],
            path: "Benchmarks/ServerBenchmarks", swiftSettings: strict),
        .executableTarget(
            name: "SDKBenchmarks",
            dependencies: [
                "BenchmarkSupport", "CommandSupport", "DemoCommands", "MobileAuthentication",
                "MobileAuthenticationTestKit", "Authenticators", "HardwareKeys", "BackendTransport", "TamperGuards",
                "UAF", argumentParser,
            ],
            path: "Benchmarks/SDKBenchmarks", swiftSettings: strict),
        .executableTarget(
            name: "StorageBenchmarks",
            dependencies: ["BenchmarkSupport", "SecureStorage", "HardwareKeys", "CSQLCipher", crypto],
            path: "Benchmarks/StorageBenchmarks", swiftSettings: strict),
        system("CSQLCipher", pkgConfig: "sqlcipher", apt: "libsqlcipher-dev"),
    ] : []

let package = Package(
    name: "signet",
    // Platforms of the SDK; the server and the commands run on Linux.
    platforms: [.macOS(.v13), .iOS(.v16)],
    products: [
        .library(name: "MobileAuthentication", targets: ["MobileAuthentication"]),
        .library(name: "NevisMobileAuthentication", targets: ["NevisMobileAuthentication"]),
        .library(name: "MobileAuthenticationTestKit", targets: ["MobileAuthenticationTestKit"]),
        .library(name: "HardwareKeys", targets: ["HardwareKeys"]),
        .library(name: "HardwareKeysApple", targets: ["HardwareKeysApple"]),
        .library(name: "SecureStorage", targets: ["SecureStorage"]),
        .library(name: "Argon2KeyDerivation", targets: ["Argon2KeyDerivation"]),
        .library(name: "HardwareKeysTPM", targets: ["HardwareKeysTPM"]),
        .library(name: "UserVerificationLinux", targets: ["UserVerificationLinux"]),
        .library(name: "TamperGuards", targets: ["TamperGuards"]),
        .library(name: "UAF", targets: ["UAF"]),
        .library(name: "JOSE", targets: ["JOSE"]),
        .library(name: "BackendAPI", targets: ["BackendAPI"]),
        .executable(name: "signet", targets: ["signet"]),
        .executable(name: "signet-server", targets: ["signet-server"]),
        .executable(name: "signet-push-sink", targets: ["signet-push-sink"]),
    ],
    traits: [
        .trait(
            name: "DebugFlavor",
            description:
                "For development: certificates of any issuer at local hosts, no guards; never ship an app with it.")
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-crypto.git", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-asn1.git", from: "1.7.4"),
        .package(url: "https://github.com/apple/swift-certificates.git", from: "1.21.1"),
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl.git", from: "2.37.6"),
        .package(url: "https://github.com/swift-server/async-http-client.git", from: "1.37.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.28.1", traits: []),
        .package(url: "https://github.com/hummingbird-project/swift-mustache.git", from: "2.1.1"),
        .package(url: "https://github.com/groue/GRDB.swift.git", from: "7.10.0"),
        .package(url: "https://github.com/jpsim/Yams.git", from: "6.2.2"),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics.git", from: "2.13.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.8.2"),
    ],
    targets: (protocolLayer + deviceLayer + serverLayer + commandsLayer + systemLibraries + testTargets + fuzzTargets
        + benchmarkTargets).filter { $0.type != .test || chosenSuites?.contains($0.name) ?? true },
    swiftLanguageModes: [.v6]
)

// MARK: - Stand-ins for Apple's frameworks

// With APPLE_STUBS=1 the targets that ask for Apple's frameworks find stand-ins, and two suites play on them. This package
// is not built with them: script/test-apple builds what script/export-sdk makes of it for Apple platforms, which has no
// package that a module called Security would confuse.
if Context.environment["APPLE_STUBS"] == "1" {
    func stub(_ framework: String, _ dependencies: [Target.Dependency]) -> Target {
        .target(
            name: framework, dependencies: dependencies, path: "Tests/AppleStubs/\(framework)", swiftSettings: strict)
    }
    let frameworks: [Target.Dependency] = ["Security", "LocalAuthentication", "CryptoKit", "DeviceCheck"]
    package.targets.first { $0.name == "Locking" }?.dependencies += ["os"]
    package.targets.first { $0.name == "HardwareKeysApple" }?.dependencies += frameworks
    let borrowed = ["ScriptedBackend", "ScriptedDevices", "Fixtures", "TestUser"]
    package.targets += [
        stub("os", []), stub("Security", []), stub("LocalAuthentication", ["Security"]),
        stub("CryptoKit", ["LocalAuthentication", "Security", crypto]), stub("DeviceCheck", ["Security"]),
        .testTarget(
            name: "HardwareKeysAppleTests",
            dependencies: ["Octets", "HardwareKeys", "HardwareKeysApple", "SecureStorage"] + frameworks,
            swiftSettings: strict),
        // The scripted server and user of the other suite of the SDK play here as well.
        .testTarget(
            name: "MobileAuthenticationAppleTests",
            dependencies: [
                "MobileAuthentication", "UAFClient", "Authenticators", "BackendTransport", "BackendAPI", "HardwareKeys",
                "HardwareKeysApple", "JOSE", "Octets", "UAF", crypto,
            ] + frameworks,
            path: "Tests",
            sources: ["MobileAuthenticationAppleTests"]
                + borrowed.map { "MobileAuthenticationTests/Support/\($0).swift" },
            swiftSettings: strict),
    ]
}
