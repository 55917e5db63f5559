import Glibc

/// Log-distance path loss with n = 2 and -59 dBm at 1 m, without any calibration.
struct LogDistanceTextbook: DistanceEstimator {
    let name = "log_distance"

    func posterior(_ window: DistanceWindow) -> any Posterior {
        PointPosterior(metres: pow(10, (window.nominalMeasuredPower - window.medianRSSI) / 20))
    }
}

/// The curve of the Android Beacon Library for the Nexus 4 and 5, its default (`CurveFittedDistanceCalculator`).
struct AltBeaconCurve: DistanceEstimator {
    let name = "altbeacon"

    func posterior(_ window: DistanceWindow) -> any Posterior {
        let ratio = window.medianRSSI / window.nominalMeasuredPower
        return PointPosterior(metres: ratio < 1 ? pow(ratio, 10) : 0.42093 * pow(ratio, 6.9476) + 0.54992)
    }
}

/// Herald's `SmoothedLinearModel`; a negative distance, which Herald doesn't give, counts as 0.
struct HeraldLinear: DistanceEstimator {
    let name = "herald"

    func posterior(_ window: DistanceWindow) -> any Posterior {
        PointPosterior(metres: max(0, -17.102080 - 0.266793 * window.medianRSSI))
    }
}
