// The SDK under the module name of the closed one, for applications whose files qualify names by it. Others write
// `import MobileAuthentication`.

@_exported public import MobileAuthentication

/// The operation of the SDK, as `NevisMobileAuthentication.Operation`: Foundation, which comes along, has a class of this name.
///
/// ```swift
/// func end(_ operation: any NevisMobileAuthentication.Operation) {
///     operation.cancel()
/// }
/// ```
public typealias Operation = MobileAuthentication.Operation
