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

/// As an application has them, which asks for less.
let ofApplications: [SwiftSetting] = [.treatAllWarnings(as: .error)]

/// What Apple's review wants to know of a library that applications take in.
let privacyManifest: [Resource] = [.copy("PrivacyInfo.xcprivacy")]
func embedded(_ files: String...) -> [Resource] { files.map { .embedInCode("Resources/\($0)") } }

/// The library products; a target of the same name is all of each.
let libraries = [
    "MobileAuthentication", "NevisMobileAuthentication", "MobileAuthenticationTestKit", "HardwareKeys",
    "HardwareKeysApple", "HardwareKeysTPM", "SecureStorage", "Argon2KeyDerivation", "UserVerificationLinux",
    "TamperGuards", "UAF", "JOSE", "BackendAPI",
]

enum Layer: String {
    case `protocol` = "Protocol"
    case device = "Device"
    case server = "Server"
    case commands = "Commands"
}

func target(
    _ name: String, _ layer: Layer, needs dependencies: Target.Dependency..., settings: [SwiftSetting] = strict,
    resources: [Resource] = []
) -> Target {
    .target(
        name: name, dependencies: dependencies, path: "Sources/\(layer.rawValue)/\(name)", resources: resources,
        swiftSettings: settings + (layer == .commands ? [] : fuzzed))
}

func program(
    _ name: String, needs dependencies: Target.Dependency..., in folder: String = "Tests",
    settings: [SwiftSetting] = strict
) -> Target {
    .executableTarget(name: name, dependencies: dependencies, path: "\(folder)/\(name)", swiftSettings: settings)
}

func system(_ name: String, pkgConfig: String, apt: String) -> Target {
    .systemLibrary(name: name, path: "Sources/System/\(name)", pkgConfig: pkgConfig, providers: [.apt([apt])])
}

/// Depends on ``support``, too.
func tests(_ subject: String, needs dependencies: Target.Dependency..., exclude: [String] = []) -> Target {
    .testTarget(
        name: "\(subject)Tests", dependencies: support + dependencies, exclude: exclude, swiftSettings: strict)
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

let protocolLayer = [
    target("Locking", .protocol, settings: memorySafe),
    target("Octets", .protocol, needs: "Locking", settings: memorySafe),
    target("StrictJSON", .protocol, needs: "Octets"),
    target("StrictCBOR", .protocol, needs: "Octets"),
    target("UAF", .protocol, needs: "Octets", "StrictJSON", crypto, settings: memorySafe),
    target("JOSE", .protocol, needs: "Octets", "StrictJSON", crypto, cryptoExtras, settings: memorySafe),
    target("BackendAPI", .protocol, needs: "Octets", "StrictJSON", "UAF", "JOSE", httpTypes),
    // Statements about confirmed operations, which both programs verify.
    target(
        "Receipts", .protocol, needs: "Octets", "StrictJSON", "UAF", "JOSE", crypto, cryptoExtras,
        settings: memorySafe),
]

let deviceLayer = [
    target("HardwareKeys", .device, needs: "Locking", "Octets", crypto, cryptoExtras),
    target("HardwareKeysApple", .device, needs: "Octets", "HardwareKeys", "SecureStorage"),
    target(
        "SecureStorage", .device, needs: "Locking", "Octets", "HardwareKeys", crypto, cryptoExtras,
        resources: privacyManifest),
    target("HardwareKeysTPM", .device, needs: "Octets", "HardwareKeys", "SecureStorage", "CTSS2", crypto),
    target("Argon2KeyDerivation", .device, needs: "Octets", "HardwareKeys", "SecureStorage", "CArgon2"),
    target("Authenticators", .device, needs: "Octets", "UAF", "HardwareKeys", "SecureStorage", crypto, cryptoExtras),
    target("TamperGuards", .device, needs: "Locking", "Octets", crypto),
    target("UserVerificationLinux", .device, needs: "Octets", "HardwareKeys", "CPAM", "CDBus", crypto),
    target(
        "BackendTransport", .device, needs: "Locking", "Octets", "StrictJSON", "HardwareKeys", crypto, cryptoExtras),
    target(
        "BackendTransportLinux", .device, needs: "BackendTransport", "Locking", crypto, asyncHTTPClient, nioCore,
        nioPosix, nioHTTP1, nioSSL),
    target("UAFClient", .device, needs: "Octets", "UAF", "BackendAPI", "Authenticators"),
    target(
        "MobileAuthentication", .device, needs: "Locking", "Octets", "StrictJSON", "UAF", "JOSE", "BackendAPI",
        "BackendTransport", "HardwareKeys", "Authenticators", "UAFClient", "TamperGuards", crypto,
        .target(name: "HardwareKeysApple", condition: .when(platforms: [.macOS, .iOS])),
        .target(name: "BackendTransportLinux", condition: .when(platforms: [.linux])),
        .target(name: "HardwareKeysTPM", condition: .when(platforms: [.linux])),
        .target(name: "UserVerificationLinux", condition: .when(platforms: [.linux])),
        resources: privacyManifest),
    // The module name of the closed SDK, for applications that qualify names by it.
    target("NevisMobileAuthentication", .device, needs: "MobileAuthentication"),
    target(
        "MobileAuthenticationTestKit", .device, needs: "Locking", "Octets", "MobileAuthentication", "BackendTransport",
        "BackendAPI", "JOSE", "HardwareKeys", "Authenticators", "UAF", crypto),
    // A phone whose screen is a page on loopback, and its camera a picture.
    target(
        "PhonePage", .device, needs: "Locking", "Octets", "StrictJSON", "MobileAuthentication", "CPNG", "CZBar",
        nioCore, nioPosix, httpTypes, hummingbirdCore, logging, crypto,
        resources: embedded("page.css", "page.js", "texts.js")),
]

let serverLayer = [
    target(
        "RelyingParty", .server, needs: "DeviceAttestation", "Octets", "UAF", "CSecp256k1", crypto, cryptoExtras,
        x509, asn1, settings: memorySafe),
    target(
        "DeviceAttestation", .server, needs: "Octets", "StrictCBOR", crypto, cryptoExtras, x509, asn1,
        settings: memorySafe),
    target(
        "WebAuthn", .server, needs: "DeviceAttestation", "Octets", "StrictJSON", "StrictCBOR", crypto, cryptoExtras,
        x509, asn1, settings: memorySafe),
    target("QRCode", .server, needs: "CQREncode", "CPNG"),
    target("LoadControl", .server),
    // Connections, TLS and one request after the other; knows no route and no service.
    target(
        "HTTPEngine", .server, needs: "LoadControl", "Octets", hummingbirdCore, httpTypes, nioCore, nioPosix,
        nioHTTP1, nioSSL, serviceLifecycle, logging, crypto, x509, asn1),
    target(
        "ServerCore", .server, needs: "LoadControl", "Octets", "StrictJSON", "UAF", "JOSE", "BackendAPI",
        "RelyingParty", "DeviceAttestation", crypto, cryptoExtras, logging, metrics),
    target(
        "UAFService", .server, needs: "ServerCore", "LoadControl", "Locking", "Octets", "StrictJSON", "UAF", "JOSE",
        "BackendAPI", "RelyingParty", "DeviceAttestation", "QRCode", "Receipts", crypto, logging),
    target(
        "OpenID", .server, needs: "UAFService", "ServerCore", "WebAuthn", "BackendAPI", "JOSE", "StrictJSON", "Octets",
        "QRCode", "UAF", crypto, logging, metrics),
    target(
        "OutgoingRequests", .server, needs: "OpenID", "ServerCore", "StrictJSON", "Octets", "UAF", nioCore, nioPosix,
        nioHTTP1, nioSSL, logging, metrics, crypto),
    target(
        "ServerAdministration", .server, needs: "OpenID", "UAFService", "ServerCore", "BackendAPI", "StrictJSON",
        "Octets", "UAF"),
    target(
        "SignInPages", .server, needs: "ServerAdministration", "OpenID", "UAFService", "ServerCore", "BackendAPI",
        "StrictJSON", "Octets", "UAF", mustache, crypto,
        resources: embedded(
            "signet.css", "sign-in.js", "signet-web.js", "page.mustache", "sign-in.mustache", "devices.mustache",
            "person.mustache", "username.mustache", "message.mustache", "answer.mustache", "front.mustache",
            "recover.mustache", "codes.mustache", "console-people.mustache", "console-person.mustache",
            "console-invitation.mustache", "console-findings.mustache", "console-audit.mustache",
            "console-message.mustache")),
    target("StrictYAML", .server, needs: yams),
    target(
        "ServerConfiguration", .server, needs: "LoadControl", "ServerCore", "UAFService", "OpenID", "WebAuthn",
        "DeviceAttestation", "BackendAPI", "StrictYAML", "Octets", "UAF"),
    target(
        "ServerPersistence", .server, needs: "LoadControl", "ServerCore", "UAFService", "OpenID", "WebAuthn",
        "DeviceAttestation", "BackendAPI", "UAF"),
    target("ServerPersistenceSQLite", .server, needs: "ServerPersistence", grdb, sqlite),
    target("ServerProcesses", .server, needs: "Locking", "ServerCore", metrics),
    target(
        "ServerPersistencePostgreSQL", .server, needs: "LoadControl", "ServerPersistence", "ServerCore", "Locking",
        "Octets", "CPostgreSQL"),
    // Its resources are links to docs/web/openapi.yaml and docs/operate/admin-api.yaml.
    target(
        "ServerHTTP", .server, needs: "LoadControl", "ServerCore", "UAFService", "OpenID", "HTTPEngine", "SignInPages",
        "ServerAdministration", "BackendAPI", "Octets", "StrictJSON", "UAF", hummingbird, hummingbirdCore, httpTypes,
        nioCore, logging, metrics,
        resources: embedded("openapi.yaml", "admin-api.yaml")),
    target(
        "ServerPush", .server, needs: "ServerCore", "BackendAPI", "JOSE", "StrictJSON", "Octets", asyncHTTPClient,
        nioCore, nioHTTP1, nioSSL, logging, crypto, cryptoExtras),
    target(
        "PushSink", .server, needs: "ServerCore", "HTTPEngine", "ServerHTTP", "JOSE", "StrictJSON", "Octets",
        hummingbird, httpTypes, nioCore, logging, crypto, cryptoExtras),
]

let commandsLayer = [
    target(
        "CommandSupport", .commands, needs: "QRCode", "StrictYAML", "StrictJSON", "Locking", "Octets", cryptoExtras,
        x509, asn1, argumentParser),
    target(
        "DeviceCommands", .commands, needs: "CommandSupport", "Authenticators", "MobileAuthentication",
        "MobileAuthenticationTestKit", "UAFClient", "HardwareKeys", "HardwareKeysTPM", "UserVerificationLinux",
        "SecureStorage", "TamperGuards", "BackendTransport", "BackendTransportLinux", "BackendAPI", "StrictYAML",
        "PhonePage", "Receipts", "JOSE", "StrictJSON", "UAF", "Octets", argumentParser, unixSignals),
    // Beside the demonstrations it has the root command of signet, which lists all others.
    target(
        "DemoCommands", .commands, needs: "CommandSupport", "DeviceCommands", "BackendTransport",
        "BackendTransportLinux", "BackendAPI", "StrictJSON", "UAF", "Octets", "Locking", argumentParser, unixSignals),
    // What the server and the push sink have in common as processes.
    target(
        "ServerCommandSupport", .commands, needs: "CommandSupport", "StrictYAML", "ServerConfiguration", "ServerCore",
        "HTTPEngine", "ServerHTTP", logging, metrics, serviceLifecycle, unixSignals),
    target(
        "ServerCommands", .commands, needs: "CommandSupport", "ServerCommandSupport", "StrictYAML",
        "ServerConfiguration", "LoadControl", "ServerCore", "ServerHTTP", "ServerPersistence",
        "ServerPersistencePostgreSQL", "ServerPersistenceSQLite", "OpenID", "UAFService", "OutgoingRequests",
        "SignInPages", "HTTPEngine", "ServerProcesses", "ServerPush", "ServerAdministration", "WebAuthn",
        "BackendAPI", "StrictJSON", "UAF", "Octets", argumentParser, asyncHTTPClient, hummingbird, logging, metrics,
        nioCore,
        nioHTTP1, nioSSL, serviceLifecycle, unixSignals),
    target(
        "PushSinkCommands", .commands, needs: "CommandSupport", "ServerCommandSupport", "PushSink",
        "ServerConfiguration", "ServerCore", "ServerHTTP", "StrictJSON", argumentParser, hummingbird, logging,
        serviceLifecycle, unixSignals),
    program("signet", needs: "DemoCommands", in: "Sources/Commands"),
    program("signet-server", needs: "ServerCommands", in: "Sources/Commands"),
    // A program for trials and tests; a release has it beside the others, because "signet try" starts it.
    program("signet-push-sink", needs: "PushSinkCommands", in: "Sources/Commands"),
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

/// What TestSupport is made of, and so what every target with it has built: theirs name only what they need besides.
let supportParts: [Target.Dependency] = [
    "Locking", "Octets", "StrictJSON", "StrictCBOR", "UAF", "JOSE", "BackendAPI", "HardwareKeys", "HardwareKeysTPM",
    "SecureStorage", "BackendTransport", "RelyingParty", "WebAuthn", "DeviceAttestation", "LoadControl", "ServerCore",
    "UAFService", "OpenID", "ServerPersistence", "ServerPersistenceSQLite", "ServerPersistencePostgreSQL",
    "CommandSupport", "CSecp256k1",
    crypto, cryptoExtras, x509, asn1, httpTypes, hummingbird, hummingbirdTLS, nioCore, nioSSL, logging,
    serviceLifecycle,
]
let support = supportParts + ["TestSupport"]

let testTargets: [Target] = [
    .target(name: "TestSupport", dependencies: supportParts, path: "Tests/TestSupport", swiftSettings: strict),
    // Histories of concurrent operations and the check that an order explains them; needs nothing of the package.
    .target(name: "Linearizability", path: "Tests/Linearizability", swiftSettings: strict),
    // The protocol's layer but for UAF: bytes, their encodings, locks, signatures, the contract over HTTP.
    tests("Foundations"),
    tests("UAF", needs: "UAFClient", "Authenticators"),
    tests("HardwareKeys"),
    program("StorageCrashChild", needs: "TestSupport"),
    tests("SecureStorageCrash", needs: "StorageCrashChild"),
    tests("SecureStorage", needs: "Argon2KeyDerivation", exclude: ["Golden"]),
    program("PasscodeChild", needs: "UserVerificationLinux", "HardwareKeys"),
    tests(
        "UserVerificationLinux", needs: "UserVerificationLinux", "MobileAuthentication", "Authenticators",
        "PasscodeChild"),
    // The program that is traced, patched and preloaded in the tests of the guards.
    program("GuardChild", needs: "TamperGuards", "Octets"),
    tests("TamperGuards", needs: "TamperGuards", "GuardChild"),
    tests("Authenticators", needs: "Authenticators"),
    tests("BackendTransport", needs: "BackendTransportLinux", nioPosix),
    tests(
        "MobileAuthentication", needs: "MobileAuthentication", "MobileAuthenticationTestKit", "UAFClient",
        "Authenticators", "TamperGuards"),
    // Programs as applications are, with nothing imported but the SDK: the first of the README, and the listings of the
    // documents.
    program("ReadmeProgram", needs: "MobileAuthentication", settings: ofApplications),
    // Puts the listings into the files of the folder Played of what plays them.
    .plugin(name: "PlayedListings", capability: .buildTool(), path: "Tests/PlayedListings"),
    .executableTarget(
        name: "ListingPlayer", dependencies: ["MobileAuthentication"], path: "Tests/ListingPlayer", exclude: ["Played"],
        swiftSettings: ofApplications, plugins: ["PlayedListings"]),
    // The listings of the other products, built as an application builds them: without what is public to the package only.
    .target(
        name: "DocumentListings",
        dependencies: libraries.filter { $0 != "HardwareKeysApple" }.map { .byName(name: $0) },
        path: "Tests/DocumentListings", exclude: ["Played"], packageAccess: false,
        swiftSettings: ofApplications + [.enableUpcomingFeature("NonisolatedNonsendingByDefault")],
        plugins: ["PlayedListings"]),
    tests(
        "DocumentListings", needs: "DocumentListings", "MobileAuthentication", "MobileAuthenticationTestKit",
        "NevisMobileAuthentication", "TamperGuards", "UserVerificationLinux"),
    // The call sites of the two suites below, run as the application that they come from, in both language modes.
    program("CallSitePlayer", needs: "MobileAuthentication", settings: ofApplications),
    program(
        "CallSitePlayerSwift5", needs: "MobileAuthentication", settings: ofApplications + [.swiftLanguageMode(.v5)]),
    // Call sites as applications have them: the same files in both language modes, with nothing imported but the SDK.
    .testTarget(
        name: "CallSitesSwift6Tests", dependencies: ["MobileAuthentication", "SecureStorage"],
        swiftSettings: ofApplications),
    .testTarget(
        name: "CallSitesSwift5Tests",
        dependencies: ["MobileAuthentication", "NevisMobileAuthentication", "SecureStorage"],
        swiftSettings: ofApplications + [.swiftLanguageMode(.v5)]),
    // The sample app, as an application builds it; its screens are for Apple platforms.
    .target(
        name: "SampleApp", dependencies: ["MobileAuthentication"], path: "Examples/SampleApp/Sources/SampleApp",
        packageAccess: false, swiftSettings: ofApplications),
    .target(
        name: "SampleScreens", dependencies: ["SampleApp"], path: "Examples/SampleApp/Sources/SampleScreens",
        packageAccess: false, swiftSettings: ofApplications),
    .testTarget(
        name: "SampleAppTests",
        dependencies: ["SampleApp", "SampleScreens", "MobileAuthentication", "MobileAuthenticationTestKit"],
        path: "Examples/SampleApp/Tests/SampleAppTests", swiftSettings: ofApplications),
    tests("RelyingParty", needs: "AllocationChild"),
    // What the benchmark measures in time and a test in memory; the program whose allocator counts.
    .target(
        name: "RelyingPartyWorkload", dependencies: support, path: "Benchmarks/RelyingPartyWorkload",
        swiftSettings: strict),
    .target(name: "CAllocationCount", path: "Tests/CAllocationCount"),
    program("AllocationChild", needs: "RelyingPartyWorkload", "CAllocationCount"),
    tests("WebAuthn"),
    tests("OpenID", needs: "Receipts", "SignInPages"),
    tests(
        "OutgoingRequests", needs: "OutgoingRequests", "HTTPEngine", "ServerHTTP", "ServerPush", "PushSink", nioPosix,
        nioHTTP1, asyncHTTPClient),
    tests("ServerCore", needs: "ServerProcesses"),
    tests("UAFService", needs: "QRCode", "Linearizability"),
    tests("ServerConfiguration", needs: "ServerConfiguration", "StrictYAML"),
    tests("ServerPersistence", needs: grdb),
    tests(
        "ServerHTTP", needs: "ServerHTTP", "ServerAdministration", "HTTPEngine", "SignInPages", hummingbirdTesting,
        asyncHTTPClient,
        nioEmbedded, nioPosix, nioHTTP1, metrics),
    tests("CommandSupport", needs: "StrictYAML", "QRCode", argumentParser),
    tests(
        "DeviceCommands", needs: "DemoCommands", "DeviceCommands", "MobileAuthentication",
        "MobileAuthenticationTestKit", "Authenticators", "BackendTransportLinux", "PhonePage", "TamperGuards",
        "Receipts", "StrictYAML", "QRCode",
        "CPNG", "CQREncode", argumentParser, nioPosix),
    tests(
        "ServerCommands", needs: "ServerCommands", "ServerCommandSupport", "PushSinkCommands", "PushSink",
        "ServerHTTP", "HTTPEngine", "ServerConfiguration", "ServerAdministration", "StrictYAML", argumentParser),
    tests(
        "EndToEnd", needs: "DemoCommands", "DeviceCommands", "MobileAuthentication", "MobileAuthenticationTestKit",
        "Authenticators", "BackendTransportLinux", "ReadmeProgram", "ListingPlayer", "CallSitePlayer",
        "CallSitePlayerSwift5",
        "DocumentListings", "Linearizability"),
    tests("Architecture"),
    // The part of the benchmarks that decides what their figures mean; it is built and tested with everything else.
    .target(
        name: "LoadGenerator", dependencies: ["TestSupport"], path: "Benchmarks/LoadGenerator", swiftSettings: strict),
    // What tests and benchmarks are made of is tested, too.
    tests("TestSupport", needs: "Linearizability", "LoadGenerator"),
]

/// Every parser that reads what a stranger sent, as fuzzers feed it.
let fuzzTargets: [Target] =
    [
        .target(
            name: "FuzzParsers", dependencies: support + ["ServerAdministration"], path: "Fuzz/Parsers",
            swiftSettings: strict + fuzzed),
        .target(
            name: "FuzzPipelines", dependencies: support + ["FuzzParsers", "PushSink", "ServerHTTP", nioPosix],
            path: "Fuzz/Pipelines", swiftSettings: strict + fuzzed),
        .target(
            name: "FuzzPhone",
            dependencies: ["FuzzParsers", "MobileAuthentication", "MobileAuthenticationTestKit", "BackendAPI", "UAF"],
            path: "Fuzz/Phone", swiftSettings: strict + fuzzed),
        tests("FuzzReplay", needs: "FuzzParsers", "FuzzPipelines", "FuzzPhone"),
    ]
    + (isFuzzing
        ? [
            .executableTarget(
                name: "signet-fuzz", dependencies: ["FuzzParsers", "FuzzPipelines", "FuzzPhone"],
                path: "Fuzz/signet-fuzz", swiftSettings: strict + fuzzed,
                linkerSettings: [.unsafeFlags(["-sanitize=fuzzer,address", "-use-ld=lld"])])
        ] : [])

// Benchmarks cost build time that ordinary builds should not pay: SIGNET_BENCHMARKS=1 switches them on.
let benchmarkTargets: [Target] =
    Context.environment["SIGNET_BENCHMARKS"] == "1"
    ? [
        .target(name: "BenchmarkSupport", path: "Benchmarks/BenchmarkSupport", swiftSettings: strict),
        program(
            "RelyingPartyBenchmarks", needs: "BenchmarkSupport", "RelyingPartyWorkload", "TestSupport",
            in: "Benchmarks"),
        .executableTarget(
            name: "ServerBenchmarks",
            dependencies: support + [
                "BenchmarkSupport", "LoadGenerator", "DemoCommands", "DeviceCommands", "ServerHTTP", "HTTPEngine",
                nioPosix, nioHTTP1, unixSignals,
            ],
            path: "Benchmarks/ServerBenchmarks", swiftSettings: strict),
        program(
            "SDKBenchmarks", needs: "BenchmarkSupport", "CommandSupport", "DemoCommands", "MobileAuthentication",
            "MobileAuthenticationTestKit", "Authenticators", "HardwareKeys", "BackendTransport", "TamperGuards",
            "UAF", argumentParser, in: "Benchmarks"),
        program(
            "StorageBenchmarks", needs: "BenchmarkSupport", "SecureStorage", "HardwareKeys", "CSQLCipher", crypto,
            in: "Benchmarks"),
        system("CSQLCipher", pkgConfig: "sqlcipher", apt: "libsqlcipher-dev"),
    ] : []

let package = Package(
    name: "signet",
    // Platforms of the SDK; the server and the commands run on Linux.
    platforms: [.macOS(.v13), .iOS(.v16)],
    products: libraries.map { .library(name: $0, targets: [$0]) }
        + ["signet", "signet-server", "signet-push-sink"].map { .executable(name: $0, targets: [$0]) },
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
    func give(_ target: String, _ dependencies: [Target.Dependency]) {
        package.targets.first { $0.name == target }?.dependencies += dependencies
    }
    // What the C library is for Linux: below every target.
    give("Locking", ["os", "AppleDarwin", "AppleFoundation"])
    give("HardwareKeysApple", frameworks)
    give("SecureStorage", ["CryptoKit"])
    give("BackendTransport", ["Security"])
    give("SampleScreens", ["SwiftUI", "UserNotifications"])
    let borrowed = ["Fixtures", "TestUser"]
    package.targets += [
        stub("SwiftUI", ["AppleFoundation"]), stub("UserNotifications", []), stub("os", []), stub("AppleDarwin", []),
        stub("Security", []), stub("AppleFoundation", ["Security"]),
        stub("LocalAuthentication", ["Security"]),
        stub("CryptoKit", ["LocalAuthentication", "Security", crypto]), stub("DeviceCheck", ["Security"]),
        .testTarget(
            name: "HardwareKeysAppleTests",
            dependencies: ["Octets", "HardwareKeys", "HardwareKeysApple", "SecureStorage"] + frameworks,
            exclude: ["Played"], swiftSettings: strict, plugins: ["PlayedListings"]),
        // The scripted user of the other suite of the SDK plays here as well.
        .testTarget(
            name: "MobileAuthenticationAppleTests",
            dependencies: [
                "MobileAuthentication", "MobileAuthenticationTestKit", "UAFClient", "Authenticators",
                "BackendTransport",
                "BackendAPI", "HardwareKeys", "HardwareKeysApple", "JOSE", "Octets", "TamperGuards", "UAF",
                "AppleDarwin", "AppleFoundation", crypto,
            ] + frameworks,
            path: "Tests",
            sources: ["MobileAuthenticationAppleTests"]
                + borrowed.map { "MobileAuthenticationTests/Support/\($0).swift" },
            swiftSettings: strict),
    ]
}
