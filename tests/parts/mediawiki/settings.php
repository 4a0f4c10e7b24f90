<?php
// The settings of the wiki that the tests ask. Where its data lie and where it listens come from the environment.
if ( !defined( 'MEDIAWIKI' ) ) {
	exit;
}
$wgSitename = 'Wiki próbna';
$wgLanguageCode = 'pl';
$wgServer = getenv( 'MEDIAWIKI_SERVER' ) ?: 'http://127.0.0.1';
$wgScriptPath = '/w';
$wgDBtype = 'sqlite';
$wgDBname = 'wiki';
$wgSQLiteDataDir = getenv( 'MEDIAWIKI_DATA' );
$wgCacheDirectory = "$wgSQLiteDataDir/cache";
$wgSecretKey = str_repeat( '0', 64 );
$wgMainCacheType = CACHE_ACCEL;
$wgParserCacheType = CACHE_DB;
$wgJobRunRate = 0;
$wgEnableEmail = false;
$wgEnableUploads = false;
$wgUseInstantCommons = false;
$wgPingback = false;
$wgRightsText = 'Creative Commons Attribution-ShareAlike 4.0';
wfLoadExtension( 'Cite' );
wfLoadExtension( 'ParserFunctions' );
wfLoadExtension( 'TextExtracts' );

// Debian does not bundle Disambiguator: this is what the tool sees of it.
$wgHooks['GetDoubleUnderscoreIDs'][] = static function ( array &$ids ) {
	$ids[] = 'disambiguation';
};
$wgExtensionMessagesFiles['Disambiguation'] = __DIR__ . '/magic.php';

// <math> as Wikipedia's HTML has it: MathML (here its letters only) beside TeX. The bundled Math
// extension would ask a rendering service on the internet.
$wgHooks['ParserFirstCallInit'][] = static function ( Parser $parser ) {
	$parser->setHook( 'math', static function ( $tex ) {
		$letters = '';
		foreach ( preg_split( '/[{}^_\\s]+/', preg_replace( '/\\\\[a-z]+/', '', $tex ), -1, PREG_SPLIT_NO_EMPTY ) as $part ) {
			$letters .= "        \n          <mi>" . htmlspecialchars( $part ) . "</mi>\n";
		}
		$shown = htmlspecialchars( "{\\displaystyle $tex}" );
		$mathml = "<math>\n  <semantics>\n    <mrow>\n      <mstyle>\n$letters      </mstyle>\n    </mrow>\n"
			. "    <annotation encoding=\"application/x-tex\">$shown</annotation>\n  </semantics>\n</math>";
		return [ "<span class=\"mwe-math-element\"><span style=\"display: none;\">$mathml</span></span>", 'markerType' => 'nowiki' ];
	} );
};
