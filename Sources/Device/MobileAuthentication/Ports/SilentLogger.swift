/// Keeps nothing.
struct SilentLogger: SDKLogger {
    func log(_ level: SDKLogLevel, _ category: SDKLogCategory, _ message: String, _ fields: [SDKLogField]) {}
}
