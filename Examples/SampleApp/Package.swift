// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "SampleApp",
    platforms: [.iOS(.v16), .macOS(.v13)],
    // In an app of your own: the folder that script/export-sdk has written.
    dependencies: [.package(name: "signet", path: "../..")],
    targets: [
        .target(
            name: "SampleApp", dependencies: [.product(name: "MobileAuthentication", package: "signet")]),
        .target(name: "SampleScreens", dependencies: ["SampleApp"]),
        .testTarget(
            name: "SampleAppTests",
            dependencies: ["SampleApp", .product(name: "MobileAuthenticationTestKit", package: "signet")]),
    ])
