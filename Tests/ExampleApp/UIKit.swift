// What the example application takes from UIKit; the names are Apple's, and so is their documentation.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AvoidRetroactiveConformances

@_exported public import Foundation
@_exported public import FoundationNetworking

@MainActor @preconcurrency open class UIResponder: NSObject {}

@MainActor @preconcurrency open class UIViewController: UIResponder {}

@MainActor @preconcurrency public final class UIAlertController: UIViewController {}

@MainActor @preconcurrency public final class UIWindowScene: UIResponder {}

public final class UIColor: NSObject, @unchecked Sendable {
    public static let black = UIColor()
    public static let green = UIColor()
    public static let purple = UIColor()
    public static let red = UIColor()
}

public final class UIDevice: NSObject, @unchecked Sendable {
    public static let current = UIDevice()
    public let name = "iPhone"
}

public final class UIApplication: UIResponder {
    public static let shared = UIApplication()
    public static let openSettingsURLString = "app-settings:"

    public func open(
        _ url: URL, options: [OpenExternalURLOptionsKey: Any] = [:], completionHandler: ((Bool) -> Void)? = nil
    ) {}

    public struct OpenExternalURLOptionsKey: Hashable, Sendable {}
}

extension NSAttributedString.Key {
    public static let foregroundColor = NSAttributedString.Key("NSColor")
}

/// On Apple platforms a list may be an argument of a log message, as an `NSArray`; the Foundation of Linux does not allow it.
extension Array: @retroactive CVarArg {
    public var _cVarArgEncoding: [Int] { [] }
}
