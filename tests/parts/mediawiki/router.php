<?php
// Serves the wiki under /w/, and under /fault/NAME/w/ the same wiki with a fault that real ones have.
function drip( string $bytes, float $pause ): void {
	while ( ob_get_level() ) {
		ob_end_clean();
	}
	foreach ( str_split( $bytes ) as $byte ) {
		echo $byte;
		flush();
		usleep( (int)( $pause * 1e6 ) );
		if ( connection_aborted() ) {
			exit;
		}
	}
}

function fail( string $fault ): bool {
	$page = '<!DOCTYPE html><html lang="pl"><title>Błąd</title><p>Wikimedia Error</p></html>';
	header( 'Content-Type: text/html; charset=utf-8' );
	switch ( $fault ) {
		case 'html':
			echo $page;
			return true;
		case 'html503':
			http_response_code( 503 );
			echo $page;
			return true;
		case 'rest':
			http_response_code( 503 );
			header( 'Retry-After: 120' );
			echo $page;
			return true;
		case '429':
			http_response_code( 429 );
			header( 'Retry-After: 120' );
			echo 'Too Many Requests';
			return true;
		case 'maxlag':
			header( 'Content-Type: application/json' );
			header( 'X-Database-Lag: 7' );
			header( 'Retry-After: 3600' );
			echo '{"error":{"code":"maxlag","info":"Waiting for db1: 7 seconds lagged."}}';
			return true;
		case 'loop':
			header( 'Location: ' . $_SERVER['REQUEST_URI'], true, 302 );
			return true;
		case 'elsewhere':
			header( 'Location: http://localhost:1/w/api.php', true, 302 );
			return true;
		case 'huge':
			header( 'Content-Type: application/json' );
			echo '{"query":{"pages":[],"padding":"', str_repeat( 'x', 5000000 ), '"}}';
			return true;
		case 'drip':
			header( 'Content-Type: application/json' );
			drip( str_repeat( ' ', 600 ), 0.05 );
			return true;
		case 'silent':
			sleep( 30 );
			return true;
		case 'slow':
			usleep( 700000 );
			return false;
		case 'second':  // good at first, then nothing: a later request of the same call
			if ( isset( $_GET['list'] ) ) {
				return false;
			}
			sleep( 30 );
			return true;
		default:
			return false;
	}
}

$path = parse_url( $_SERVER['REQUEST_URI'], PHP_URL_PATH );
if ( preg_match( '~^/fault/([a-z0-9]+)(/w/.*)$~', $path, $found ) ) {
	$path = $found[2];
	if ( fail( $found[1] ) ) {
		return true;
	}
	header_remove();
	$query = $_SERVER['QUERY_STRING'] ?? '';
	$_SERVER['REQUEST_URI'] = $path . ( $query === '' ? '' : "?$query" );
}
if ( $path !== '/w/api.php' && $path !== '/w/index.php' ) {
	http_response_code( 404 );
	return true;
}
$script = basename( $path );
$_SERVER['SCRIPT_NAME'] = $_SERVER['PHP_SELF'] = $path;
$_SERVER['SCRIPT_FILENAME'] = "/usr/share/mediawiki/$script";
chdir( '/usr/share/mediawiki' );
require "/usr/share/mediawiki/$script";
return true;
