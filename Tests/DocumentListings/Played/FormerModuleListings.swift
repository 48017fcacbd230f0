// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import NevisMobileAuthentication

/// Listing of a file that qualifies names by the module of the closed SDK.
public enum FormerModuleListings {
    public static func stop(_ operation: any NevisMobileAuthentication.Operation) { end(operation) }
}

// Listing: NevisMobileAuthentication.md
