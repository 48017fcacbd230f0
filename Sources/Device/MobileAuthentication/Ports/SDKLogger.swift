/// Takes the messages of the SDK.
///
/// Messages and fields hold no PIN, password, token, key, cookie, user name or payload; values that could identify
/// somebody come as ``SDKLogField/redacted(_:)`` and are never written out.
public protocol SDKLogger: Sendable {
    /// Takes one message; called from any thread.
    func log(_ level: SDKLogLevel, _ category: SDKLogCategory, _ message: String, _ fields: [SDKLogField])
}
